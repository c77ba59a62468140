MODEL (
  name shop.seed_items,
  kind SEED (
    path '../../seeds/items.csv'
  ),
  owner shop_backend,
  description 'Everything the shop has ever sold, as the till exports it',
  tags (source),
  columns (
    item_id INT,
    name TEXT,
    category TEXT,
    price NUMERIC(10, 2),
    is_deleted BOOLEAN
  ),
  grain item_id
);
