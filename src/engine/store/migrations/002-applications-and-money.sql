alter table companies add column budgets text not null default '[]';
alter table applications add column basics text not null default '{}';
alter table applications add column email_key text;
alter table applications add column answers text not null default '[]';
alter table applications add column met text not null default '[]';
alter table applications add column is_qualified integer not null default 0;
alter table applications add column decided_at text;
drop index applications_of_job;
create index applications_of_job on applications (job_id, id);
create unique index applicants_of_job on applications (job_id, email_key) where email_key is not null;
create table job_tallies (
  job_id {wideInteger} primary key references jobs (id),
  pending {wideInteger} not null,
  accepted {wideInteger} not null,
  rejected {wideInteger} not null,
  unseen {wideInteger} not null
);
insert into job_tallies (job_id, pending, accepted, rejected, unseen)
  select job_id,
    sum(case when applications.status = 'pending' then 1 else 0 end),
    sum(case when applications.status = 'accepted' then 1 else 0 end),
    sum(case when applications.status = 'rejected' then 1 else 0 end),
    sum(case when received_at > coalesce(opened_at, '') then 1 else 0 end)
  from applications join jobs on jobs.id = applications.job_id group by job_id;
alter table jobs drop column opened_at;
create table files (
  id text primary key,
  digest text not null,
  name text not null,
  type text not null,
  bytes integer not null,
  uploaded_at text not null,
  claimed_at text
);
create index files_of_digest on files (digest);
create index files_unclaimed on files (uploaded_at) where claimed_at is null;
create table spends (target text primary key, spend text not null);
create table charges (
  id {countedId},
  application_id {wideInteger} not null unique references applications (id),
  job_id {wideInteger} not null references jobs (id),
  company_id text not null references companies (id),
  decided_at text not null,
  outcome text not null check (outcome in ('charged', 'skipped')),
  amount_cents {wideInteger} not null,
  filled_target text,
  filled_window text
);
create index charges_of_job on charges (job_id, decided_at);
create index charges_of_company on charges (company_id, decided_at);
create table terms (
  id {countedId},
  version text not null unique,
  text text not null,
  issued_at text not null
);
create table engine_clock (id integer primary key check (id = 1), offset_ms {wideInteger} not null);
create table dashboard_links (
  digest text primary key,
  company_id text not null references companies (id),
  expires_at text not null,
  used_at text
);
create table dashboard_sessions (
  digest text primary key,
  company_id text not null references companies (id),
  expires_at text not null
);
create index jobs_published on jobs (id) where status = 'ACTIVE';
