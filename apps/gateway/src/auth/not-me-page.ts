import type { Context } from 'hono'
import { type EmailPage, renderEmailPage, tokenForm, tooManyPage } from './email-page'
import { notMePath } from './not-me'

export type NotMeView = 'pending' | 'ended' | 'changeEnded' | 'expired' | 'unknown' | 'tooMany'

/** @param token for the form. */
export function renderNotMePage(context: Context, view: NotMeView, token: string): Response {
  return renderEmailPage(context, show(view, token))
}

function show(view: NotMeView, token: string): EmailPage {
  switch (view) {
    case 'pending':
      return {
        status: 200,
        heading: 'Was this not you?',
        body: `<p>We’ll stop what the email is about and sign out the device that asked for it.</p>
      ${tokenForm(notMePath, token, 'This was not me')}
      <p class="note">If it was you, close this page. Nothing will change.</p>`,
      }
    case 'ended':
      return {
        status: 200,
        heading: 'Stopped and signed out',
        body: `<p>The request has ended, and the device that made it is signed out.</p>
      <p>If you gave anyone a code, or approved a device that isn’t yours, they may have copied your wallet’s keys. Move your assets to another wallet right away.</p>`,
      }
    case 'changeEnded':
      return {
        status: 200,
        heading: 'Stopped',
        body: '<p>The account will not change to your email address.</p>',
      }
    case 'expired':
      return {
        status: 410,
        heading: 'This link has expired',
        body: '<p>Sign in to your wallet and open its security settings: they list your devices, and you can remove those you don’t know.</p>',
      }
    case 'unknown':
      return {
        status: 404,
        heading: 'This link doesn’t work',
        body: '<p>Open the whole link from the email.</p>',
      }
    case 'tooMany':
      return tooManyPage
  }
}
