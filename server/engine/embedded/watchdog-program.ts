/** Advisory locks in the database "postgres": every user holds the first, shared; the one watchdog holds the second. */
export const presenceLock = 8_457_213_001;
export const watchdogLock = 8_457_213_002;
export const watchdogName = "weir watchdog";

/**
 * The watchdog: stops the server once nobody has been connected for a while. Evaluated by `node -e` with one argument,
 * JSON `{ record, data, idleSeconds }`.
 *
 * A text, and without any package, on purpose: whatever bundles Weir (esbuild, Next) moves or merges files, so there is no
 * path to an entry file and no `pg` to be found from there. A text travels inside any bundle. Hence the few lines of
 * PostgreSQL's protocol (SCRAM, simple query), and everything decided by the server: who is connected, which process it
 * is, and, by the lock that users share, whether it may be stopped. Killed at any point it leaves the server running; the
 * next opener sees no watchdog and starts one.
 *
 * `sessions` counts connections that came and went between two looks. The touch of server.json says "running" to a
 * machine or container that shares the home but can't see our processes.
 */
export const watchdogProgram = String.raw`
"use strict";
const net = require("node:net");
const fs = require("node:fs");
const path = require("node:path");
const crypto = require("node:crypto");
const { spawnSync } = require("node:child_process");
const { record, data, idleSeconds } = JSON.parse(process.argv[1]);
const tick = Math.min(2000, Math.max(100, idleSeconds * 250));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function connect(port, password) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: "127.0.0.1", port });
    let buffer = Buffer.alloc(0), rows = [], waiting = { resolve, reject }, scram;
    const fail = (error) => { socket.destroy(); const w = waiting; waiting = undefined; if (w) w.reject(error); };
    const send = (type, body) => {
      const head = Buffer.alloc(type ? 5 : 4);
      if (type) head.write(type);
      head.writeInt32BE(body.length + 4, type ? 1 : 0);
      socket.write(Buffer.concat([head, body]));
    };
    const hmac = (key, text) => crypto.createHmac("sha256", key).update(text).digest();
    const query = (sql) => new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(new Error("closed"));
      rows = [];
      waiting = { resolve, reject };
      send("Q", Buffer.from(sql + "\0"));
    });
    const authenticate = (kind, body) => {
      if (kind === 0) return;
      if (kind === 10) {
        scram = { first: "n=,r=" + crypto.randomBytes(18).toString("base64") };
        const first = Buffer.from("n,," + scram.first), length = Buffer.alloc(4);
        length.writeInt32BE(first.length);
        send("p", Buffer.concat([Buffer.from("SCRAM-SHA-256\0"), length, first]));
      } else if (kind === 11) {
        const server = body.toString();
        const { r, s, i } = Object.fromEntries(server.split(",").map((each) => [each[0], each.slice(2)]));
        if (!r.startsWith(scram.first.slice(5))) return fail(new Error("not our server"));
        const salted = crypto.pbkdf2Sync(password, Buffer.from(s, "base64"), Number(i), 32, "sha256");
        const key = hmac(salted, "Client Key");
        const all = scram.first + "," + server + ",c=biws,r=" + r;
        const signature = hmac(crypto.createHash("sha256").update(key).digest(), all);
        scram.expected = hmac(hmac(salted, "Server Key"), all).toString("base64");
        send("p", Buffer.from("c=biws,r=" + r + ",p=" + key.map((byte, at) => byte ^ signature[at]).toString("base64")));
      } else if (kind === 12) {
        if (body.toString() !== "v=" + scram.expected) fail(new Error("not our server"));
      } else fail(new Error("unknown authentication"));
    };
    socket.setTimeout(30000, () => { if (waiting) fail(new Error("no answer")); });
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("closed")));
    socket.on("connect", () => send("", Buffer.concat([Buffer.from([0, 3, 0, 0]),
      Buffer.from("user\0weir\0database\0postgres\0application_name\0${watchdogName}\0\0")])));
    socket.on("data", (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      while (buffer.length >= 5 && buffer.length > buffer.readInt32BE(1)) {
        const type = String.fromCharCode(buffer[0]), size = buffer.readInt32BE(1);
        const body = buffer.subarray(5, size + 1);
        buffer = buffer.subarray(size + 1);
        if (type === "R") authenticate(body.readInt32BE(0), body.subarray(4));
        else if (type === "E") fail(new Error(body.toString()));
        else if (type === "D") {
          for (let at = 2, n = body.readInt16BE(0); n > 0; n--) {
            const length = body.readInt32BE(at);
            rows.push(length < 0 ? null : body.toString("utf8", at + 4, at + 4 + length));
            at += 4 + Math.max(0, length);
          }
        } else if (type === "Z" && waiting) {
          const w = waiting; waiting = undefined; w.resolve(rows.length ? rows : { query });
        }
      }
    });
  });
}

const clients = "(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())";
const sessions = "(SELECT sum(sessions) FROM pg_stat_database)";
const port = () => Number(fs.readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")[3]);

async function watch(query) {
  const [first] = await query("SELECT pg_try_advisory_lock(${watchdogLock})");
  if (first !== "t") return "watched already";
  let quietSince = performance.now(), known;
  for (;;) {
    const now = new Date();
    try { fs.utimesSync(record, now, now); } catch {}
    const [count, total] = await query("SELECT " + clients + ", " + sessions);
    if (count !== "0" || total !== known) quietSince = performance.now();
    known = total;
    if (performance.now() - quietSince >= idleSeconds * 1000) {
      const [alone, left, file] = await query("SELECT pg_try_advisory_lock(${presenceLock}), " + clients + ", pg_read_file('postmaster.pid')");
      if (alone === "t" && left === "0") return stop(Number(file.split("\n")[0]));
      if (alone === "t") await query("SELECT pg_advisory_unlock(${presenceLock})");
      quietSince = performance.now();
    }
    await sleep(tick);
  }
}

function stop(pid) {
  if (process.platform !== "win32") return process.kill(pid, "SIGINT");
  const folder = JSON.parse(fs.readFileSync(record, "utf8")).binaries;
  spawnSync(path.join(folder, "pg_ctl.exe"), ["stop", "-m", "fast", "-D", data], { windowsHide: true });
}

(async () => {
  // A crash of one backend closes our connection too, and the server goes on: come back for a minute.
  for (let failures = 0; failures < 60; failures++) {
    try {
      const { password } = JSON.parse(fs.readFileSync(record, "utf8"));
      const { query } = await connect(port(), password);
      failures = 0;
      await watch(query);
      break;
    } catch (error) {
      if (error.code === "ENOENT") break;
      await sleep(1000);
    }
  }
  process.exit(0);
})();
`;
