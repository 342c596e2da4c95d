/** The popup of a social sign-in; its behaviour is in `static/social.js`. */
import { errors, isErrorCode, type WalletApiFailure } from '@postern/protocol'
import { fixes } from '@postern/protocol/errors/fixes'
import type { Context } from 'hono'
import { signInPageHeaders } from '../../platform/html/headers'
import { escapeHtml, renderPage } from '../../platform/html/page'

/** Shown while the frame requests the provider's URL. */
export function renderOpening(context: Context): Response {
  return context.html(
    page('Opening sign-in', '<h1>Opening sign-in</h1>\n      <p role="status" id="opening">One moment.</p>', {
      opening: 'yes',
    }),
    200,
    signInPageHeaders,
  )
}

/** Passes the ticket to the frame, or shows six digits after a press. */
export function renderArrived(
  context: Context,
  { flow, ticket, origin }: { readonly flow: string; readonly ticket: string; readonly origin: string },
): Response {
  const body = `<div id="arrived">
        <h1>You’re signed in</h1>
        <p role="status">Returning to ${escapeHtml(origin)}.</p>
      </div>
      <div id="ask" hidden>
        <h1>Did you start this sign-in?</h1>
        <p>Someone wants to sign in at <strong>${escapeHtml(origin)}</strong> with your account. Show the code only if you
          started this there, just now.</p>
        <button type="button" id="show" disabled>I started this: show the code</button>
        <p class="note">If you didn’t, close this page.</p>
      </div>
      <div id="digits" hidden>
        <h1>Enter this code where you started</h1>
        <p>Go back to <strong>${escapeHtml(origin)}</strong> and enter it there.</p>
        <p class="code" id="code"></p>
        <p class="note">If you didn’t start signing in there yourself, close this page. Never share this code with anyone.</p>
      </div>
      <div id="failed" hidden>
        <h1>Couldn’t create a code</h1>
        <p>Close this page and sign in again.</p>
      </div>
      <noscript><p>Turn on JavaScript and sign in again.</p></noscript>`
  return context.html(page('You’re signed in', body, { flow, ticket }), 200, signInPageHeaders)
}

export function renderFailure(context: Context, failure: WalletApiFailure): Response {
  const code = isErrorCode(failure) ? failure : 'PROVIDER_FAILED'
  const { message } = errors[code]
  const body = `<h1>${escapeHtml(message)}</h1>
      <p role="alert">${escapeHtml(fixes[code])}</p>
      <p class="note">You can close this page.</p>`
  // The modal shows the same message.
  const data = failure === 'CONSENT_DENIED' ? { close: 'yes' } : {}
  return context.html(page(message, body, data), 400, signInPageHeaders)
}

function page(title: string, body: string, data: Readonly<Record<string, string>> = {}): string {
  return renderPage({
    title,
    data,
    styles: ['social.css'],
    script: 'social.js',
    body: `<main>
      ${body}
    </main>`,
  })
}
