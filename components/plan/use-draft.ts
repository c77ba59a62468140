"use client";

import { useEffect, useState } from "react";

/** Text that survives a closed sheet, a failed request and a reload of the page. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const key = `weir.draft.${name}`;
  const [text, setText] = useState("");
  useEffect(() => setText(sessionStorage.getItem(key) ?? ""), [key]);
  const keep = (next: string) => {
    setText(next);
    if (next === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, next);
  };
  return [text, keep];
}
