/** The on-ramp's default return page: closes its window, or asks the user to. */
import type { Context } from 'hono'
import { signInPageHeaders } from '../../pages/headers'
import { renderPage } from '../../pages/page'

export const donePagePath = '/onramp/done'

/** Ignores the parameters that the provider adds. */
export function renderDonePage(context: Context): Response {
  const body = `<main>
      <h1>Back to the application</h1>
      <p role="status">You can close this window: the application knows how your purchase goes.</p>
    </main>`
  return context.html(
    renderPage({ title: 'Back to the application', script: 'onramp.js', body }),
    200,
    signInPageHeaders,
  )
}
