import type { Context } from 'hono'
import { escapeHtml } from '../../platform/html/page'
import { regionText, timeText } from '../../projects/mail/text'
import type { RequestFacts } from '../mail/messages'
import type { Approval } from './device-links'
import { type EmailPage, renderEmailPage, tokenForm, tooManyPage } from './email-page'

export const devicePagePath = '/auth/device'

export type DeviceView = Approval | { readonly state: 'tooMany' }

export function renderDevicePage(context: Context, view: DeviceView, token: string): Response {
  return renderEmailPage(context, show(view, token))
}

function show(view: DeviceView, token: string): EmailPage {
  switch (view.state) {
    case 'pending':
      return {
        status: 200,
        heading: 'Approve this device?',
        body: `<p>Someone is signing in with your email. Approve only if it’s you, right now.</p>
      ${facts(view.requester)}
      ${tokenForm(devicePagePath, token, 'Approve this device')}
      <p class="note">If it’s not you, press “This was not me” in the email.</p>`,
      }
    case 'approved':
      return {
        status: 200,
        heading: 'Device approved',
        body: `<p>We’ve emailed you a 6-digit code. Enter it where you’re signing in${siteIn(view.requester, ', at ')}.</p>
      <p class="note">You can close this page.</p>`,
      }
    case 'mailFailed':
      return {
        status: 502,
        heading: 'Device approved',
        body: `<p>But we couldn’t send the email with your code. Go back to where you’re signing in${siteIn(view.requester, ', ')} and request another code.</p>`,
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
      return tooManyPage
  }
}

function facts({ site, region, at }: RequestFacts): string {
  const rows = [
    ['App', site],
    ['Region', region === null ? null : regionText(region, 'en')],
    ['Requested', timeText(at, 'en')],
  ] as const
  const shown = rows.flatMap(([name, fact]) => (fact === null ? [] : [`<dt>${name}</dt><dd>${escapeHtml(fact)}</dd>`]))
  return `<dl>
        ${shown.join('\n        ')}
      </dl>`
}

function siteIn({ site }: RequestFacts, before: string): string {
  return site === null ? '' : `${before}<strong>${escapeHtml(site)}</strong>`
}
