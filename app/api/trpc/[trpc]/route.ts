import { handleRequest } from "../../../server.ts";

export const dynamic = "force-dynamic";

export { handleRequest as GET, handleRequest as POST };
