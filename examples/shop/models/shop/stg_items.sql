MODEL (
  name shop.stg_items,
  kind VIEW,
  owner data_platform,
  description 'Items on sale',
  tags (staging),
  grain item_id
);

SELECT
  item_id,
  name,
  category,
  price
FROM shop.stg_items_base
WHERE NOT __is_deleted
