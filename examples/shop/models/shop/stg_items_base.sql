MODEL (
  name shop.stg_items_base,
  kind VIEW,
  owner data_platform,
  description 'Items with tidy names, deleted ones included',
  tags (staging),
  column_descriptions (
    item_id = 'Number of the item at the till',
    name = 'Name on the shelf, without stray blanks',
    __is_deleted = 'No longer sold; kept for old orders'
  ),
  grain item_id
);

SELECT
  item_id,
  TRIM(name) AS name,
  category,
  price,
  __is_deleted
FROM shop.raw_items
