import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Projects by what they need: nothing, scenario files, processes and files, servers of their own, one server for all. Files run in parallel in each; files of
// `postgres` share one cluster, started once by its globalSetup, and take a database each.
export default defineConfig({
  test: {
    // Vitest leaves one core to itself, which on two cores means one file after another, and most wait for a server.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "core",
          include: ["test/core/**/*.test.ts", "test/project/**/*.test.ts", "test/architecture/**/*.test.ts"],
          environment: "node",
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "scenarios",
          include: ["test/scenarios/**/*.test.ts"],
          environment: "node",
        },
      },
      {
        test: {
          name: "api",
          include: ["test/api/**/*.test.ts"],
          environment: "node",
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "cli",
          include: ["test/cli/**/*.test.ts"],
          globalSetup: ["test/cli/bundle.ts"],
          environment: "node",
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "embedded",
          include: ["test/embedded/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "postgres",
          include: ["test/postgres/**/*.test.ts"],
          environment: "node",
          globalSetup: ["test/postgres/cluster.ts", "test/cli/bundle.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "cases",
          include: ["test/cases/**/*.test.ts"],
          environment: "node",
          globalSetup: ["test/postgres/cluster.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "crash",
          include: ["test/crash/**/*.test.ts"],
          environment: "node",
          globalSetup: ["test/postgres/cluster.ts", "test/crash/bundle-driver.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
