MODEL (
  name shop.stg_customers,
  kind VIEW,
  owner data_platform,
  description 'Customers with the name of their region',
  tags (staging, personal),
  grain customer_id
);

SELECT
  customers.customer_id,
  customers.name,
  customers.region_code,
  regions.name AS region,
  customers.signed_up_on
FROM shop.seed_customers AS customers
JOIN shop.seed_regions AS regions
  ON regions.region_code = customers.region_code
