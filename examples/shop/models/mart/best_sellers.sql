MODEL (
  name mart.best_sellers,
  kind VIEW,
  owner analytics,
  description 'The three items of each category that bring in most',
  tags (mart),
  grain item_id
);

WITH ranked AS (
  SELECT
    item_id,
    name,
    category,
    revenue,
    ROW_NUMBER() OVER (PARTITION BY category ORDER BY revenue DESC, item_id) AS place
  FROM mart.sales_by_item
)
SELECT
  category,
  place,
  item_id,
  name,
  revenue
FROM ranked
WHERE place <= 3
