-- What other people have built on the shop: the project knows nothing of it, and Weir never drops it unasked.
-- Safe to run again.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bi_owner') THEN
    CREATE ROLE bi_owner;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bi_reader') THEN
    CREATE ROLE bi_reader;
  END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS bi AUTHORIZATION bi_owner;
GRANT USAGE ON SCHEMA shop, mart TO bi_owner;
GRANT SELECT ON shop.stg_items_base, mart.sales_daily TO bi_owner;

SET ROLE bi_owner;

GRANT USAGE ON SCHEMA bi TO bi_reader;

-- Two views on shop.stg_items_base: a tool that drops and re-creates that one takes both along, and nobody
-- brings them back.
CREATE OR REPLACE VIEW bi.catalogue AS
SELECT
  item_id,
  name,
  category
FROM shop.stg_items_base
WHERE NOT __is_deleted;

COMMENT ON VIEW bi.catalogue IS 'What the price tags are printed from';
COMMENT ON COLUMN bi.catalogue.name IS 'As it stands on the tag';
GRANT SELECT ON bi.catalogue TO bi_reader;

CREATE OR REPLACE VIEW bi.items_per_category AS
SELECT
  category,
  COUNT(*) AS items
FROM bi.catalogue
GROUP BY category;

GRANT SELECT ON bi.items_per_category TO bi_reader;

-- A materialized view with a unique index on mart.sales_daily, and a dashboard's view on that.
CREATE MATERIALIZED VIEW IF NOT EXISTS bi.daily_revenue AS
SELECT
  ordered_on,
  orders,
  revenue
FROM mart.sales_daily;

CREATE UNIQUE INDEX IF NOT EXISTS daily_revenue_day ON bi.daily_revenue (ordered_on);
COMMENT ON MATERIALIZED VIEW bi.daily_revenue IS 'Refreshed each night for the board';
GRANT SELECT ON bi.daily_revenue TO bi_reader;

CREATE OR REPLACE VIEW bi.revenue_by_week AS
SELECT
  DATE_TRUNC('week', ordered_on)::DATE AS week,
  SUM(orders) AS orders,
  SUM(revenue) AS revenue
FROM bi.daily_revenue
GROUP BY 1;

GRANT SELECT ON bi.revenue_by_week TO bi_reader;

RESET ROLE;
