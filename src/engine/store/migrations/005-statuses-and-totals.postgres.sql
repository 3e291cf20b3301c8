-- Triggers maintain counts and totals in the writing transaction, so that reading them doesn't slow down with more data.
-- They run once per statement and in key order, because triggers per row are slower and could deadlock.
create function jobs_counted() returns trigger language plpgsql as $$ begin
  insert into job_counts
    select company_id, id % 16,
      sum(case when listed_status = 'DRAFT' then 1 else 0 end),
      sum(case when listed_status = 'ACTIVE' then 1 else 0 end),
      sum(case when listed_status = 'PAUSED' then 1 else 0 end),
      sum(case when listed_status = 'CLOSED' then 1 else 0 end),
      sum(case when listed_status = 'EXPIRED' then 1 else 0 end)
    from added group by 1, 2 order by 1, 2
    on conflict (company_id, shard) do update set
      draft = job_counts.draft + excluded.draft,
      active = job_counts.active + excluded.active,
      paused = job_counts.paused + excluded.paused,
      closed = job_counts.closed + excluded.closed,
      expired = job_counts.expired + excluded.expired;
  return null;
  end $$;
create trigger jobs_counted after insert on jobs
  referencing new table as added
  for each statement execute function jobs_counted();
create function jobs_recounted() returns trigger language plpgsql as $$ begin
  insert into job_counts
    select added.company_id, added.id % 16,
      sum((added.listed_status = 'DRAFT')::integer - (gone.listed_status = 'DRAFT')::integer),
      sum((added.listed_status = 'ACTIVE')::integer - (gone.listed_status = 'ACTIVE')::integer),
      sum((added.listed_status = 'PAUSED')::integer - (gone.listed_status = 'PAUSED')::integer),
      sum((added.listed_status = 'CLOSED')::integer - (gone.listed_status = 'CLOSED')::integer),
      sum((added.listed_status = 'EXPIRED')::integer - (gone.listed_status = 'EXPIRED')::integer)
    from added join gone on gone.id = added.id where added.listed_status <> gone.listed_status
    group by 1, 2 order by 1, 2
    on conflict (company_id, shard) do update set
      draft = job_counts.draft + excluded.draft,
      active = job_counts.active + excluded.active,
      paused = job_counts.paused + excluded.paused,
      closed = job_counts.closed + excluded.closed,
      expired = job_counts.expired + excluded.expired;
  return null;
  end $$;
create trigger jobs_recounted after update on jobs
  referencing old table as gone new table as added
  for each statement execute function jobs_recounted();
create function charges_totalled() returns trigger language plpgsql as $$ begin
  insert into charge_days
    select target, day, filled, count(*), sum(amount_cents * 1.0)
    from (
      select 'job:' || job_id as target, substr(decided_at, 1, 10) as day,
        coalesce(added.filled_target || ':' || added.filled_window, '') as filled, amount_cents
      from added
      union all
      select 'company:' || company_id as target, substr(decided_at, 1, 10) as day,
        coalesce(added.filled_target || ':' || added.filled_window, '') as filled, amount_cents
      from added
    ) targets group by 1, 2, 3 order by 1, 2, 3
    on conflict (target, day, filled) do update set
      charges = charge_days.charges + excluded.charges,
      cents = charge_days.cents + excluded.cents;
  insert into charge_lines
    select company_id, substr(decided_at, 1, 7), outcome, job_id, amount_cents,
      coalesce(added.filled_target || ':' || added.filled_window, ''), count(*)
    from added group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (company_id, month, outcome, job_id, amount_cents, filled) do update set
      applications = charge_lines.applications + excluded.applications;
  return null;
  end $$;
create trigger charges_totalled after insert on charges
  referencing new table as added
  for each statement execute function charges_totalled();
