create table companies (
  id text primary key,
  name text not null,
  is_default integer unique,
  terms_version_accepted text,
  card_brand text,
  card_last4 text,
  created_at text not null
);
create table partner_keys (
  id text primary key,
  company_id text not null references companies (id),
  digest text not null unique,
  last4 text not null,
  created_at text not null,
  revoked_at text
);
create table jobs (
  id {countedId},
  company_id text not null references companies (id),
  status text not null check (status in ('DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED')),
  title text not null,
  description text not null,
  remote_option text,
  remote_country text,
  job_type text,
  job_level text,
  salary_min {wideInteger},
  salary_max {wideInteger},
  salary_period text,
  bid_cents {wideInteger},
  opportunity_id text,
  ats_job_url text,
  locations text not null,
  qualifications text not null,
  questions text not null,
  budgets text not null,
  created_at text not null,
  published_at text,
  expires_at text,
  closed_at text,
  opened_at text
);
create index jobs_of_company on jobs (company_id, id);
create index jobs_of_opportunity on jobs (company_id, opportunity_id, id)
  where opportunity_id is not null;
create table applications (
  id {countedId},
  job_id {wideInteger} not null references jobs (id),
  status text not null check (status in ('pending', 'accepted', 'rejected')),
  received_at text not null
);
create index applications_of_job on applications (job_id, status, received_at);
create table idempotency (
  company_id text not null references companies (id),
  key text not null,
  request_digest text not null,
  answer_status integer not null,
  answer_body text not null,
  stored_at text not null,
  primary key (company_id, key)
);
create index idempotency_by_age on idempotency (stored_at);
