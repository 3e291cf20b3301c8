const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4fc4"/><path d="M11 24V8h6.5a5 5 0 0 1 0 10H11" fill="none" stroke="#fff" stroke-width="3.2" stroke-linejoin="round"/></svg>`;
const DAY_SECONDS = 86_400;

/** The sign of the dashboard in a browser's tab, for anybody. */
export function icon(): Response {
  const headers = {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': `public, max-age=${DAY_SECONDS}`,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  };
  return new Response(ICON, { headers });
}
