/** The on-ramp's default return page: closes its window. */
import type { Context } from 'hono'
import { signInPageHeaders } from '../../../platform/html/headers'
import { renderPage } from '../../../platform/html/page'

export const donePagePath = '/onramp/done'

/** Ignores the parameters that the provider adds. */
export function renderDonePage(context: Context): Response {
  const body = `<main>
      <h1>Return to the app</h1>
      <p role="status">You can close this window. The app shows the status of your purchase.</p>
    </main>`
  return context.html(renderPage({ title: 'Return to the app', script: 'onramp.js', body }), 200, signInPageHeaders)
}
