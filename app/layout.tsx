import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { Toaster } from "sonner";
import { ApiProvider } from "../components/api/api-provider.tsx";
import type { Theme } from "../components/frame/theme-menu.tsx";
import { TopBar } from "../components/frame/top-bar.tsx";
import { Shortcuts } from "../components/keyboard/shortcuts.tsx";
import { Clock } from "../components/ui/clock.tsx";
import "./globals.css";
import { prefetch, procedures, queryClientOfRequest, serverFacts } from "./server.ts";

export const metadata: Metadata = { title: { default: "Weir", template: "%s · Weir" } };
export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

// Everything here is somebody's data at this moment, and the content policy has a new nonce a request.
export const dynamic = "force-dynamic";

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const chosen = (await cookies()).get("weir_theme")?.value;
  const theme: Theme = chosen === "light" || chosen === "dark" ? chosen : "system";
  await prefetch(procedures.system.status.queryOptions());
  const { project, gateway, user, tool } = serverFacts();
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <body>
        <NuqsAdapter>
          <ApiProvider>
            <HydrationBoundary state={dehydrate(queryClientOfRequest())}>
              <Clock start={Date.now()}>
                <a className="skip" href="#main">
                  Skip to content
                </a>
                <div className="app">
                  <TopBar project={project} gateway={gateway} user={user} theme={theme} />
                  {children}
                  <footer className="foot-line">
                    <span>
                      No sign-in: local mode, decisions are recorded as <b>{user}</b>
                    </span>
                    <span className="grow" />
                    <span className="only-l">
                      <kbd>?</kbd> keys
                    </span>
                    <span>{tool}</span>
                  </footer>
                </div>
                <Shortcuts />
                <Toaster position="bottom-right" toastOptions={{ unstyled: true }} />
              </Clock>
            </HydrationBoundary>
          </ApiProvider>
        </NuqsAdapter>
      </body>
    </html>
  );
}
