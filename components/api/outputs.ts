import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../../server/api/root.ts";

type Outputs = inferRouterOutputs<AppRouter>;

export type ShownPlan = Outputs["plans"]["show"];
export type PlanView = ShownPlan["view"];
export type Standing = Outputs["plans"]["standing"];
export type PlanCard = Outputs["plans"]["list"][number];
export type Run = Outputs["runs"]["read"];
export type InspectedEnvironment = Outputs["environments"]["inspect"];
export type InspectedObject = InspectedEnvironment["objects"][number];
export type Status = Outputs["system"]["status"];
export type Hit = Outputs["system"]["find"][number];
export type RunState = Run["state"];
export type PlanState = ShownPlan["state"];
