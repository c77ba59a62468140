import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { installed } from "./door.ts";
import { appRouter } from "./root.ts";

export function handleRequest(request: Request): Promise<Response> {
  return fetchRequestHandler({ endpoint: "/api/trpc", req: request, router: appRouter, createContext: installed });
}
