"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { Check, OctagonAlert } from "lucide-react";
import Link from "next/link";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { Fragment } from "react";
import { useTRPC } from "../api/api-provider.tsx";
import type { InspectedObject } from "../api/outputs.ts";
import { Ago } from "../ui/clock.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { environmentLink, planLink } from "../ui/links.ts";
import { nameHolds } from "../ui/name-holds.ts";
import { ObjectName } from "../ui/object-name.tsx";
import { splitName } from "../ui/split-name.ts";
import { EnvironmentDrawer } from "./environment-drawer.tsx";
import { sizeText } from "./size-text.ts";

const inAddress = {
  object: parseAsString,
  q: parseAsString.withDefault(""),
  missing: parseAsBoolean.withDefault(false),
};

/** What an environment serves: behind each name the physical version, and what hangs on it. */
export function EnvironmentScreen({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const { environment, objects } = useSuspenseQuery(
    trpc.environments.inspect.queryOptions({ name }, { refetchInterval: 15_000, retry: false }),
  ).data;
  const all = useSuspenseQuery(trpc.environments.list.queryOptions(undefined, { refetchInterval: 2_500 })).data;
  const [{ object, q, missing }, setAddress] = useQueryStates(inAddress);
  const served = all.find((each) => each.name === name) ?? environment;
  const gone = objects.filter(({ found }) => found === "missing").length;
  const shown = objects.filter((each) => (!missing || each.found === "missing") && nameHolds(each.model, q));
  const schemas = [...new Set(shown.map(({ model }) => splitName(model).schema))].sort();
  const ordered = schemas.flatMap((schema) => shown.filter(({ model }) => splitName(model).schema === schema));
  const selected = objects.find(({ model }) => model === object);
  const bytes = objects.reduce((sum, each) => sum + (each.bytes ?? 0), 0);
  const outside = objects.reduce((sum, each) => sum + each.dependents.length, 0);
  return (
    <>
      <section className="head" aria-label={`Environment ${name}`}>
        <div className="crumbs">
          <Link href="/environments">Environments</Link>
          <span>/</span>
          <span className="envs">
            {all.map((each) => (
              <Link
                key={each.name}
                className={`chip${each.name === name ? " on" : ""}`}
                href={environmentLink(each.name)}
                aria-current={each.name === name ? "page" : undefined}
              >
                {each.name}
              </Link>
            ))}
          </span>
        </div>
        <div className="verdict">
          <h1>{sentence(name, served.planId, objects.length, gone)}</h1>
        </div>
        <dl className="facts">
          <div>
            <dt>Serves plan</dt>
            <dd>
              {served.planId === null ? (
                "none"
              ) : (
                <Link className="link mono" href={planLink(served.planId)}>
                  {served.planId}
                </Link>
              )}
            </dd>
          </div>
          <div>
            <dt>Since</dt>
            <dd>{served.promotedAt === null ? "–" : <Ago at={served.promotedAt} />}</dd>
          </div>
          <div>
            <dt>Promotions</dt>
            <dd>{served.promotion}</dd>
          </div>
          <div>
            <dt>Size</dt>
            <dd>{bytes === 0 ? "unknown" : `${sizeText(bytes)}, catalog estimate`}</dd>
          </div>
          <div>
            <dt>Read by</dt>
            <dd>
              {outside} object{outside === 1 ? "" : "s"} through its views
            </dd>
          </div>
        </dl>
      </section>
      <main className={`work${selected === undefined ? "" : " split inspect"}`} id="main">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
        <section className="pane" aria-label={`Objects of ${name}`} tabIndex={0}>
          <div className="toolbar">
            <span className="strong nowrap">{objects.length} objects</span>
            {shown.length < objects.length && <span className="muted nowrap">{shown.length} shown</span>}
            <input
              className="input filter"
              type="search"
              data-search="page"
              aria-label="Filter objects by name"
              placeholder="Filter by name"
              value={q}
              onChange={(event) => void setAddress({ q: event.target.value || null })}
            />
            {gone > 0 && (
              <button
                className={`chip${missing ? " on" : ""}`}
                type="button"
                aria-pressed={missing}
                onClick={() => void setAddress({ missing: missing ? null : true })}
              >
                Missing {gone}
              </button>
            )}
          </div>
          {objects.length === 0 ? (
            <EmptyState title={`${name} serves nothing`}>
              <p>Its last plan removed every model, or none was applied yet.</p>
            </EmptyState>
          ) : (
            <table className="rows">
              <caption className="sr">Objects of {name} by schema</caption>
              <thead>
                <tr>
                  <th scope="col">Object</th>
                  <th scope="col" className="e-ver">
                    Version
                  </th>
                  <th scope="col" className="e-kind">
                    Kind
                  </th>
                  <th scope="col" className="r e-row">
                    Rows
                  </th>
                  <th scope="col" className="r e-size">
                    Size
                  </th>
                  <th scope="col" className="r e-dep">
                    Read by
                  </th>
                  <th scope="col">In the catalog</th>
                </tr>
              </thead>
              <tbody>
                {schemas.map((schema) => {
                  const inside = ordered.filter(({ model }) => splitName(model).schema === schema);
                  return (
                    <Fragment key={schema}>
                      <tr className="group">
                        <th colSpan={7} scope="rowgroup">
                          {schema} <span className="count">{inside.length}</span>
                        </th>
                      </tr>
                      {inside.map((each) => (
                        <Row
                          key={each.model}
                          object={each}
                          environment={name}
                          selected={each.model === object}
                          onOpen={() => void setAddress({ object: each.model })}
                        />
                      ))}
                    </Fragment>
                  );
                })}
              </tbody>
            </table>
          )}
        </section>
        {selected !== undefined && (
          <EnvironmentDrawer
            object={selected}
            order={ordered.map(({ model }) => model)}
            onOpen={(model) => void setAddress({ object: model })}
            onClose={() => void setAddress({ object: null })}
          />
        )}
      </main>
    </>
  );
}

function sentence(name: string, planId: string | null, models: number, gone: number): string {
  if (planId === null) return `${name} serves nothing yet`;
  if (gone === 0) return `${name} serves ${models} models, and all of them are there`;
  return `${name} serves ${models} models; ${gone} ${gone === 1 ? "is" : "are"} missing from the catalog`;
}

interface RowProps {
  readonly object: InspectedObject;
  readonly environment: string;
  readonly selected: boolean;
  readonly onOpen: () => void;
}

function Row({ object, environment, selected, onOpen }: RowProps) {
  return (
    <tr aria-selected={selected}>
      <td>
        <span className="obj">
          <span className="on">
            <a
              href={environmentLink(environment, object.model)}
              data-row
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                onOpen();
              }}
            >
              <ObjectName name={object.model} />
            </a>
            <span className="sub">
              {object.version ?? "no version"}, {object.kind.replaceAll("_", " ")}
            </span>
          </span>
        </span>
      </td>
      <td className="mono t2 e-ver">{object.version ?? "–"}</td>
      <td className="kind e-kind">{object.kind.replaceAll("_", " ")}</td>
      <td className="r e-row num">
        {object.estimatedRows === null ? (
          <span className="muted">–</span>
        ) : (
          `~${object.estimatedRows.toLocaleString("en")}`
        )}
      </td>
      <td className="r e-size num">
        {object.bytes === null ? <span className="muted">–</span> : sizeText(object.bytes)}
      </td>
      <td className="r e-dep num">{object.dependents.length}</td>
      <td>
        {object.found === "missing" ? (
          <span className="badge stop">
            <OctagonAlert className="i" aria-hidden="true" />
            missing
          </span>
        ) : object.found === "none" ? (
          <span className="muted">has none</span>
        ) : (
          <span className="dr">
            <Check className="i s ok" aria-hidden="true" />
            there
          </span>
        )}
      </td>
    </tr>
  );
}
