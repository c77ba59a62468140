MODEL (
  name shop.raw_items,
  kind FULL,
  owner data_platform,
  description 'Items as they came in, deleted ones included',
  tags (raw),
  grain item_id
);

SELECT
  item_id,
  name,
  category,
  price,
  is_deleted AS __is_deleted
FROM shop.seed_items
