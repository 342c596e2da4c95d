/** The pages behind links in emails. */
import type { Context } from 'hono'
import type { HeaderTable } from '../../platform/html/headers'
import { escapeHtml, renderPage } from '../../platform/html/page'

/** No framing: an overlay could steal the click. `strict-origin` hides the token but keeps the POST's `Origin`. */
const headers: HeaderTable = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'strict-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
}

export type EmailPage = {
  readonly status: 200 | 404 | 410 | 429 | 502
  readonly heading: string
  /** HTML. */
  readonly body: string
}

export function renderEmailPage(context: Context, { status, heading, body }: EmailPage): Response {
  const page = renderPage({
    title: heading,
    styles: ['device.css'],
    body: `<main>
      <h1>${escapeHtml(heading)}</h1>
      ${body}
    </main>`,
  })
  return context.html(page, status, headers)
}

/** A button, because mail scanners open links. */
export function tokenForm(path: string, token: string, label: string): string {
  return `<form method="post" action="${path}">
        <input type="hidden" name="token" value="${escapeHtml(token)}" />
        <button type="submit">${label}</button>
      </form>`
}

export const tooManyPage: EmailPage = {
  status: 429,
  heading: 'Too many attempts',
  body: '<p>Wait a minute, then open the link again.</p>',
}
