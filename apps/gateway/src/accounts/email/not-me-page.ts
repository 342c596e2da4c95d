import type { Context } from 'hono'
import { timeText } from '../../projects/mail/text'
import { type EmailPage, renderEmailPage, tokenForm, tooManyPage } from './email-page'
import { type NotMeResult, type NotMeSubject, notMePath } from './not-me'

export type NotMeView =
  | { readonly state: 'pending'; readonly kind: NotMeSubject['kind'] }
  | { readonly state: 'expired' | 'unknown' | 'tooMany' }
  | NotMeResult

export function renderNotMePage(context: Context, view: NotMeView, token: string): Response {
  return renderEmailPage(context, show(view, token))
}

function show(view: NotMeView, token: string): EmailPage {
  switch (view.state) {
    case 'pending':
      return {
        status: 200,
        heading: 'Was this not you?',
        body: `<p>${pendingText(view.kind)}</p>
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
    case 'restored':
      return {
        status: 200,
        heading: 'The account has its former address again',
        body: `<p>Every device that came by the new address is signed out. Sign in with the former address.</p>
      <p>Someone else may have copied your wallet’s keys. Move your assets to another wallet right away.</p>`,
      }
    case 'frozen':
      return {
        status: 200,
        heading: 'The account is frozen',
        body: `<p>Every device that came by the new address is signed out. No new device can open the wallet until ${timeText(view.until, 'en')}.</p>
      <p>To take the account back, sign in by then with the former address: on a device that you used before, or on any device with the wallet’s passkey or passphrase. After that time, the account keeps the new address.</p>
      <p class="note">Devices that were there before stay signed in.</p>`,
      }
    case 'givenBack':
      return {
        status: 200,
        heading: 'The account no longer uses your address',
        body: '<p>It has its former address again, and every device that came by yours is signed out.</p>',
      }
    case 'final':
      return {
        status: 410,
        heading: 'This change can no longer be undone',
        body: '<p>The time for it is over. Sign in to your wallet and open its security settings: they list your devices.</p>',
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

function pendingText(kind: NotMeSubject['kind']): string {
  return kind === 'addressChange'
    ? 'We’ll sign out every device that came by the new address, and undo the change, or stop new devices until you have undone it.'
    : 'We’ll stop what the email is about and sign out the device that asked for it.'
}
