/** Where a seller leads back to who named no place of their own: it closes its window, and says that it can be closed where the browser does not let it. */
import type { Context } from 'hono'
import { signInPageHeaders } from '../../pages/headers'
import { renderPage } from '../../pages/page'

export const donePagePath = '/onramp/done'

/** What the seller puts into the address is not read. */
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
