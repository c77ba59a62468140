MODEL (
  name mart.region_sales,
  kind VIEW,
  owner analytics,
  description 'Customers and revenue by region',
  tags (mart),
  grain region_code
);

SELECT
  regions.region_code,
  regions.name AS region,
  regions.warehouse,
  COUNT(customers.customer_id) AS customers,
  COALESCE(SUM(customers.revenue), 0) AS revenue
FROM shop.seed_regions AS regions
LEFT JOIN mart.customer_value AS customers
  ON customers.region_code = regions.region_code
GROUP BY regions.region_code, regions.name, regions.warehouse
