import type { Context } from 'hono'
import type { HeaderTable } from '../pages/headers'
import { escapeHtml, renderPage } from '../pages/page'
import type { Approval } from './email'

export const devicePagePath = '/auth/device'

/**
 * No framing (an overlay could steal the click), no scripts, and the form posts only to its own origin. `strict-origin`
 * hides the link's token from referrers, but keeps the `Origin` of the POST that the gateway checks.
 */
const devicePageHeaders: HeaderTable = {
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

export type DeviceView = Approval | { readonly state: 'tooMany' }

/** @param token for the form, if there is a request to approve. */
export function renderDevicePage(context: Context, view: DeviceView, token: string): Response {
  const { status, heading, body } = show(view, token)
  return context.html(page(heading, body), status, devicePageHeaders)
}

type Shown = { readonly status: 200 | 404 | 410 | 429 | 502; readonly heading: string; readonly body: string }

function show(view: DeviceView, token: string): Shown {
  switch (view.state) {
    case 'pending':
      return {
        status: 200,
        heading: 'Approve this device?',
        body: `<p>Someone is signing in with your email. Approve only if it’s you, right now.</p>
      <dl>
        <dt>App</dt><dd>${escapeHtml(view.requester.origin)}</dd>
        <dt>Browser</dt><dd>${escapeHtml(view.requester.browser)}</dd>
        <dt>Requested</dt><dd>${escapeHtml(timeOf(view.createdAt))}</dd>
      </dl>
      <form method="post" action="${devicePagePath}">
        <input type="hidden" name="token" value="${escapeHtml(token)}" />
        <button type="submit">Approve this device</button>
      </form>
      <p class="note">If it’s not you, close this page. Nothing will happen.</p>`,
      }
    case 'approved':
      return {
        status: 200,
        heading: 'Device approved',
        body: `<p>We’ve emailed you a 6-digit code. Enter it where you’re signing in, at <strong>${escapeHtml(view.requester.origin)}</strong>.</p>
      <p class="note">You can close this page.</p>`,
      }
    case 'mailFailed':
      return {
        status: 502,
        heading: 'Device approved',
        body: `<p>But we couldn’t send the email with your code. Go back to <strong>${escapeHtml(view.requester.origin)}</strong> and request another code.</p>`,
      }
    case 'expired':
      return {
        status: 410,
        heading: 'This link has expired',
        body: '<p>Go back to where you’re signing in and request another email.</p>',
      }
    case 'unknown':
      return {
        status: 404,
        heading: 'This link doesn’t work',
        body: '<p>Open the whole link from the newest email, or request another one where you’re signing in.</p>',
      }
    case 'tooMany':
      return {
        status: 429,
        heading: 'Too many attempts',
        body: '<p>Wait a minute, then open the link again.</p>',
      }
  }
}

function timeOf(time: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(time)} UTC`
}

function page(heading: string, body: string): string {
  return renderPage({
    title: heading,
    styles: ['device.css'],
    body: `<main>
      <h1>${escapeHtml(heading)}</h1>
      ${body}
    </main>`,
  })
}
