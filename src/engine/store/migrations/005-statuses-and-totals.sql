alter table jobs add column listed_status text not null default 'DRAFT'
  check (listed_status in ('DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED', 'EXPIRED'));
update jobs set listed_status = status where status <> 'DRAFT';
-- On `-id`, the order of lists. For an order by `id`, PostgreSQL may scan the IDs of all companies.
drop index jobs_of_company;
create index jobs_of_company on jobs (company_id, (-id));
create index jobs_listed on jobs (company_id, listed_status, (-id));
drop index jobs_of_opportunity;
create index jobs_of_opportunity on jobs (company_id, opportunity_id, (-id))
  where opportunity_id is not null;
create index jobs_of_opportunity_listed on jobs (company_id, opportunity_id, listed_status, (-id))
  where opportunity_id is not null;
create index jobs_to_expire on jobs (expires_at) where listed_status in ('ACTIVE', 'PAUSED');
create index jobs_to_revive on jobs (expires_at) where listed_status = 'EXPIRED';
drop index jobs_published;
create index jobs_open on jobs ((-id)) where listed_status = 'ACTIVE';
create index jobs_open_by_bid on jobs (company_id, bid_cents) where listed_status = 'ACTIVE';
alter table applications add column company_id text not null default '';
update applications set company_id = (select company_id from jobs where jobs.id = job_id);
create index applications_of_company on applications (company_id, (-id));
drop index applications_of_job;
create index applications_of_job on applications (job_id, (-id));
-- 16 rows of counts per company, so that concurrent creates rarely wait for each other.
create table job_counts (
  company_id text not null,
  shard integer not null,
  draft {wideInteger} not null,
  active {wideInteger} not null,
  paused {wideInteger} not null,
  closed {wideInteger} not null,
  expired {wideInteger} not null,
  primary key (company_id, shard)
){tableEnd};
insert into job_counts
  select company_id, id % 16,
    sum(case when listed_status = 'DRAFT' then 1 else 0 end),
    sum(case when listed_status = 'ACTIVE' then 1 else 0 end),
    sum(case when listed_status = 'PAUSED' then 1 else 0 end),
    sum(case when listed_status = 'CLOSED' then 1 else 0 end),
    sum(case when listed_status = 'EXPIRED' then 1 else 0 end)
  from jobs group by 1, 2;
-- `filled` is the window that caused a skipped charge, such as `job:DAILY`. Empty for charges.
create table charge_days (
  target text not null,
  day text not null,
  filled text not null,
  charges {wideInteger} not null,
  cents {sum} not null,
  primary key (target, day, filled)
){tableEnd};
-- A float in SQLite, exact up to 2^53, because a sum of integers fails if it overflows.
insert into charge_days
  select target, day, filled, count(*), sum(amount_cents * 1.0)
  from (
    select 'job:' || job_id as target, substr(decided_at, 1, 10) as day,
      coalesce(charges.filled_target || ':' || charges.filled_window, '') as filled, amount_cents
    from charges
    union all
    select 'company:' || company_id as target, substr(decided_at, 1, 10) as day,
      coalesce(charges.filled_target || ':' || charges.filled_window, '') as filled, amount_cents
    from charges
  ) targets group by 1, 2, 3;
create table charge_lines (
  company_id text not null,
  month text not null,
  outcome text not null,
  job_id {wideInteger} not null,
  amount_cents {wideInteger} not null,
  filled text not null,
  applications {wideInteger} not null,
  primary key (company_id, month, outcome, job_id, amount_cents, filled)
){tableEnd};
insert into charge_lines
  select company_id, substr(decided_at, 1, 7), outcome, job_id, amount_cents,
    coalesce(charges.filled_target || ':' || charges.filled_window, ''), count(*)
  from charges group by 1, 2, 3, 4, 5, 6;
drop index charges_of_job;
drop index charges_of_company;
