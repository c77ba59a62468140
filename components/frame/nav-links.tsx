"use client";

import { Inbox, Layers, ListChecks, Play } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useStatus } from "./use-status.ts";

const places = [
  { href: "/", word: "Inbox", icon: Inbox, count: "waiting" },
  { href: "/plans", word: "Plans", icon: ListChecks, count: null },
  { href: "/runs", word: "Runs", icon: Play, count: "running" },
  { href: "/environments", word: "Environments", icon: Layers, count: null },
] as const;

export function NavLinks() {
  const path = usePathname();
  const status = useStatus();
  return (
    <nav className="nav" aria-label="Main">
      {places.map(({ href, word, icon: Icon, count }) => {
        const here = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
        const number = count === null ? 0 : (status?.[count] ?? 0);
        return (
          <Link key={href} href={href} aria-current={here ? "page" : undefined}>
            <Icon className="i" aria-hidden="true" />
            {word}
            {number > 0 && (
              <span className="count">
                {number}
                <span className="sr"> {count}</span>
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
