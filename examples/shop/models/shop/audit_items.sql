MODEL (
  name shop.audit_items,
  kind INCREMENTAL_BY_PARTITION,
  partitioned_by category,
  owner finance,
  description 'What was on the price list, category by category',
  tags (audit),
  grain item_id
);

SELECT
  category,
  item_id,
  name,
  price,
  __is_deleted
FROM shop.stg_items_base
