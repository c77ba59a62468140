import { SkeletonPane } from "../../../components/ui/skeleton.tsx";

export default function Loading() {
  return <SkeletonPane what="the plan" />;
}
