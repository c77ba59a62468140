import { ChevronRight, Database, Diamond, Timer, Undo2 } from "lucide-react";
import Link from "next/link";
import type { PlanView } from "../api/outputs.ts";
import { planLink } from "../ui/links.ts";

/** Up to this many characters stand beside the headline, more on a line of their own. */
const SHORT = 24;

/** The four answers: downtime, data, what isn't ours, and the way back. */
export function PlanTiles({ view }: { readonly view: PlanView }) {
  const tiles = [
    { word: "Downtime", icon: Timer, tile: view.tiles.downtime, to: planLink(view.id, "sql") },
    { word: "Data", icon: Database, tile: view.tiles.data, to: planLink(view.id, "objects") },
    { word: "Outside our control", icon: Diamond, tile: view.tiles.outside, to: planLink(view.id, "outside") },
    { word: "Undo", icon: Undo2, tile: view.tiles.undo, to: planLink(view.id, "activity") },
  ] as const;
  return (
    <div className="tiles">
      {tiles.map(({ word, icon: Icon, tile, to }) => (
        <Link key={word} className={`tile${tile.watch ? " watch" : ""}`} href={to}>
          <span className="k">
            <Icon className="i s" aria-hidden="true" />
            {word}
          </span>
          <span className="go">
            <ChevronRight className="i s" aria-hidden="true" />
          </span>
          <span className="v">
            {tile.headline} {tile.text.length <= SHORT && <small>{tile.text}</small>}
          </span>
          {tile.text.length > SHORT && <span className="x">{tile.text}</span>}
          <span className="d">{tile.detail}</span>
        </Link>
      ))}
    </div>
  );
}
