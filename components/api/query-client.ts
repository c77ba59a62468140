import { defaultShouldDehydrateQuery, isServer, QueryClient } from "@tanstack/react-query";
import superjson from "superjson";
import { isExpected } from "./fault.ts";

/** The same settings on both sides, or hydration would ask again for what the server just sent. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 2_000, retry: (count, error) => !isServer && count < 2 && !isExpected(error) },
      dehydrate: {
        serializeData: superjson.serialize,
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query),
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}
