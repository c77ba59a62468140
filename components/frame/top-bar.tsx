import Link from "next/link";
import { NavLinks } from "./nav-links.tsx";
import { Search } from "./search.tsx";
import { type Theme, ThemeMenu } from "./theme-menu.tsx";
import { WorkerBanner } from "./worker-banner.tsx";

interface TopBarProps {
  readonly project: string;
  readonly gateway: string;
  readonly user: string;
  readonly theme: Theme;
}

export function TopBar({ project, gateway, user, theme }: TopBarProps) {
  return (
    <header className="top">
      <div className="bar">
        <Link className="brand" href="/">
          <svg
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.1"
            strokeLinecap="round"
            aria-hidden="true"
          >
            <path d="M2.5 6.5h7c2.6 0 2.6 5.5 5.2 5.5h6.8" />
            <path d="M2.5 11.2h4.6c2.8 0 2.8 5.6 5.6 5.6h8.8" opacity=".55" />
            <path d="M2.5 21h19" />
          </svg>
          Weir
        </Link>
        <span className="project">
          {project === "" ? "project" : project} <span className="muted">on {gateway}</span>
        </span>
        <NavLinks />
        <span className="grow" />
        <Search />
        <span className="zone only-l" title="All times are in UTC">
          UTC
        </span>
        <ThemeMenu initial={theme} />
        <span className="avatar b" title={`${user}, who decisions are recorded as`}>
          <span aria-hidden="true">{user.slice(0, 1).toUpperCase()}</span>
          <span className="sr">{user}</span>
        </span>
      </div>
      <WorkerBanner />
    </header>
  );
}
