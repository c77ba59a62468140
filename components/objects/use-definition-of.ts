"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const PATIENCE_MS = 800;

/**
 * Asks again for the definition of what is selected, when the one at hand is another's: a change of the address while
 * the answer is on its way (a filter that is typed) makes Next drop that answer.
 */
export function useDefinitionOf(selected: string | null, atHand: string | null): void {
  const router = useRouter();
  useEffect(() => {
    if (selected === null || selected === atHand) return;
    const timer = setTimeout(
      () => router.replace(`${location.pathname}${location.search}`, { scroll: false }),
      PATIENCE_MS,
    );
    return () => clearTimeout(timer);
  }, [selected, atHand, router]);
}
