"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Box, Layers, ListChecks, Search as SearchIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useId, useState } from "react";
import { useTRPC } from "../api/api-provider.tsx";
import type { Hit } from "../api/outputs.ts";
import { KeyCap } from "../ui/key-cap.tsx";
import { environmentLink, planLink } from "../ui/links.ts";

const icons = { plan: ListChecks, environment: Layers, object: Box } as const;

function linkOf(hit: Hit): string {
  if (hit.plan !== null) return planLink(hit.plan);
  return environmentLink(hit.environment ?? "", hit.object ?? undefined);
}

/** A combobox over plans, environments and served objects. */
export function Search() {
  const trpc = useTRPC();
  const router = useRouter();
  const list = useId();
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const asked = text.trim() !== "";
  const { data: hits = [] } = useQuery(
    trpc.system.find.queryOptions({ text }, { enabled: asked, placeholderData: keepPreviousData }),
  );
  const shown = asked && open;
  const go = (hit: Hit) => {
    setOpen(false);
    setText("");
    router.push(linkOf(hit));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive((active + step + hits.length) % Math.max(hits.length, 1));
    } else if (event.key === "Enter") {
      const hit = hits[active];
      if (hit !== undefined) go(hit);
    } else if (event.key === "Escape") {
      setOpen(false);
      event.currentTarget.blur();
    }
  };
  return (
    <div className="finder">
      <label className="find">
        <SearchIcon className="i s" aria-hidden="true" />
        <span className="sr">Search plans, environments and objects</span>
        <input
          type="search"
          placeholder="Search"
          data-search="top"
          role="combobox"
          aria-expanded={shown}
          aria-controls={list}
          aria-activedescendant={shown && hits[active] !== undefined ? `${list}-${active}` : undefined}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <KeyCap>/</KeyCap>
      </label>
      <div className="finds" id={list} role="listbox" aria-label="Found" hidden={!shown}>
        {hits.map((hit, index) => {
          const Icon = icons[hit.kind];
          return (
            <div
              key={`${hit.kind} ${hit.where} ${hit.label}`}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onMouseDown={(event) => {
                event.preventDefault();
                go(hit);
              }}
            >
              <Icon className="i s" aria-hidden="true" />
              <span className={hit.kind === "object" ? "mono" : ""}>{hit.label}</span>
              <span className="muted">{hit.where}</span>
            </div>
          );
        })}
        {asked && hits.length === 0 && (
          <div role="option" tabIndex={-1} aria-selected="false" aria-disabled="true" className="muted">
            No plan, environment or served object has “{text.trim()}” in its name
          </div>
        )}
      </div>
    </div>
  );
}
