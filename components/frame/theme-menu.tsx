"use client";

import { Check, Sun } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";

export type Theme = "system" | "light" | "dark";

const themes: readonly { readonly value: Theme; readonly word: string }[] = [
  { value: "system", word: "System" },
  { value: "light", word: "Light" },
  { value: "dark", word: "Dark" },
];

const YEAR_S = 31_536_000;

/** Kept in a cookie, so that the server paints the first frame in it. */
export function ThemeMenu({ initial }: { readonly initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const choose = (value: string) => {
    setTheme(value as Theme);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in two of three engines.
    document.cookie = `weir_theme=${value}; path=/; max-age=${YEAR_S}; samesite=strict`;
    if (value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="icon-btn" aria-label="Theme">
        <Sun className="i" aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          <DropdownMenu.RadioGroup value={theme} onValueChange={choose}>
            {themes.map(({ value, word }) => (
              <DropdownMenu.RadioItem className="menu-item" key={value} value={value}>
                <span className="menu-mark">
                  <DropdownMenu.ItemIndicator>
                    <Check className="i s" aria-hidden="true" />
                  </DropdownMenu.ItemIndicator>
                </span>
                {word}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
