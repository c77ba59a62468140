/**
 * What a change of a physical property asks for. `in_place`: the object takes it as it stands. `data`: only a new
 * object has it. A property that isn't known here is data: rebuilding is dear, but never wrong.
 */
export function propertyClass(key: string): "data" | "in_place" {
  const own = key.toLowerCase();
  return IN_PLACE.has(own) || /^(toast\.)?(log_)?autovacuum_/.test(own) ? "in_place" : "data";
}

/** Storage parameters that ALTER … SET takes without a rewrite (PostgreSQL "CREATE TABLE, Storage Parameters"). */
const IN_PLACE: ReadonlySet<string> = new Set([
  "fillfactor",
  "indexes",
  "parallel_workers",
  "statistics",
  "toast.vacuum_index_cleanup",
  "toast.vacuum_truncate",
  "toast_tuple_target",
  "vacuum_index_cleanup",
  "vacuum_truncate",
]);
