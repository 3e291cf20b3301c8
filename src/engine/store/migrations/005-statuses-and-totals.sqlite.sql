-- Triggers maintain counts and totals in the writing transaction, so that reading them doesn't slow down with more data.
create trigger jobs_counted after insert on jobs begin
  insert into job_counts values (
    new.company_id,
    new.id % 16,
    (new.listed_status = 'DRAFT'),
    (new.listed_status = 'ACTIVE'),
    (new.listed_status = 'PAUSED'),
    (new.listed_status = 'CLOSED'),
    (new.listed_status = 'EXPIRED')
  ) on conflict (company_id, shard) do update set
    draft = job_counts.draft + excluded.draft,
    active = job_counts.active + excluded.active,
    paused = job_counts.paused + excluded.paused,
    closed = job_counts.closed + excluded.closed,
    expired = job_counts.expired + excluded.expired;
  end;
create trigger jobs_recounted after update of listed_status on jobs
  when new.listed_status <> old.listed_status begin
  update job_counts set
    draft = draft + (new.listed_status = 'DRAFT') - (old.listed_status = 'DRAFT'),
    active = active + (new.listed_status = 'ACTIVE') - (old.listed_status = 'ACTIVE'),
    paused = paused + (new.listed_status = 'PAUSED') - (old.listed_status = 'PAUSED'),
    closed = closed + (new.listed_status = 'CLOSED') - (old.listed_status = 'CLOSED'),
    expired = expired + (new.listed_status = 'EXPIRED') - (old.listed_status = 'EXPIRED')
    where company_id = new.company_id and shard = new.id % 16;
  end;
create trigger charges_totalled after insert on charges begin
  insert into charge_days values
    ('job:' || new.job_id, substr(new.decided_at, 1, 10),
      coalesce(new.filled_target || ':' || new.filled_window, ''), 1, new.amount_cents),
    ('company:' || new.company_id, substr(new.decided_at, 1, 10),
      coalesce(new.filled_target || ':' || new.filled_window, ''), 1, new.amount_cents)
    on conflict (target, day, filled) do update set
      charges = charge_days.charges + excluded.charges,
      cents = charge_days.cents + excluded.cents;
  insert into charge_lines values (new.company_id, substr(new.decided_at, 1, 7), new.outcome, new.job_id,
    new.amount_cents, coalesce(new.filled_target || ':' || new.filled_window, ''), 1)
    on conflict (company_id, month, outcome, job_id, amount_cents, filled) do update set
      applications = charge_lines.applications + excluded.applications;
  end;
