/**
 * The emails, as text and as equivalent HTML.
 *
 * 1. An email loads nothing: no picture, font, style sheet or tracking pixel.
 * 2. A code is in the body, never in the subject, which a locked screen shows.
 * 3. Every word is ours or the operator's: no caller chooses any of it. A caller's browser name and any origin that the
 *    project does not list are left out, because a thief would write those of the reader.
 * 4. Each email has a link for a reader who did not request it.
 */
import { escapeHtml } from '../pages/page'
import type { Mail } from './mailer'

/** What the gateway knows of a request, without the caller's own words. */
export type Requester = {
  /** Entry of the project's own list, such as `https://app.example.com`; null if the caller named none of them. */
  readonly site: string | null
  /** Country by the operator's proxy, such as `Germany`; null if unknown. */
  readonly region: string | null
  /** Epoch ms. */
  readonly at: number
}

export type CodePurpose =
  | 'sign-in'
  | 'export'
  | 'recovery'
  | 'move'
  | 'deletePrevious'
  | 'delete'
  | 'email-primary'
  | 'email-secondary'

type Content = {
  readonly subject: string
  readonly heading: string
  readonly lines: readonly string[]
  readonly code?: string
  readonly link?: { readonly href: string; readonly label: string }
  readonly note: string
  /** Link for a reader who did not request the email. */
  readonly notMe: string
}

const notMeLabel = 'This was not me'
const notMe = `If you didn’t request it, press “${notMeLabel}”: that stops it and signs out the device that asked.`

const purposes: Readonly<Record<CodePurpose, { readonly subject: string; readonly line: string }>> = {
  'sign-in': { subject: 'Your sign-in code', line: 'Enter this code where you’re signing in.' },
  export: { subject: 'Your code to show your wallet’s keys', line: 'This code reveals your recovery phrase and keys.' },
  recovery: { subject: 'Your code to change recovery', line: 'This code changes how your wallet is recovered.' },
  move: {
    subject: 'Your code to move to a new wallet',
    line: 'This code gives your account a new wallet with new keys.',
  },
  deletePrevious: {
    subject: 'Your code to delete your previous wallet',
    line: 'This code permanently deletes the keys of the wallet that you moved from.',
  },
  delete: {
    subject: 'Your code to delete your account',
    line: 'This code permanently deletes your account and its keys.',
  },
  'email-primary': {
    subject: 'Your code to change your email',
    line: 'This code allows a change of your email address.',
  },
  'email-secondary': {
    subject: 'Confirm your new email',
    line: 'This code confirms that this email address is yours.',
  },
}

export function codeMail(details: {
  readonly to: string
  readonly code: string
  readonly purpose: CodePurpose
  readonly requester: Requester
  readonly notMe: string
  readonly minutes: number
}): Mail {
  const { subject, line } = purposes[details.purpose]
  return compose(details.to, {
    subject,
    heading: subject,
    lines: [line, `It expires in ${details.minutes} minutes and works once.`, requesterLine(details.requester)],
    code: details.code,
    note: `Never share this code with anyone, including support. ${notMe}`,
    notMe: details.notMe,
  })
}

export function deviceMail(details: {
  readonly to: string
  readonly href: string
  readonly requester: Requester
  readonly notMe: string
  readonly minutes: number
}): Mail {
  return compose(details.to, {
    subject: 'Approve a new device',
    heading: 'Approve a new device',
    lines: [
      'Someone is signing in with your email on a new device.',
      requesterLine(details.requester),
      `The link expires in ${details.minutes} minutes.`,
    ],
    link: { href: details.href, label: 'Review sign-in' },
    note: `Approve it only if you’re signing in right now. ${notMe}`,
    notMe: details.notMe,
  })
}

export function addressChangedMail(details: {
  readonly to: string
  readonly requester: Requester
  readonly notMe: string
}): Mail {
  return compose(details.to, {
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    lines: [
      'Your wallet account now uses another email address. We’ll no longer send codes here.',
      requesterLine(details.requester),
    ],
    note: `If this wasn’t you, someone has access to your mailbox and your wallet. Press “${notMeLabel}” to sign out the device that made the change, and move your assets to another wallet right away.`,
    notMe: details.notMe,
  })
}

/** @param details.opensAt epoch ms; null: the wallet is open. */
export function recoveryMail(details: {
  readonly to: string
  readonly requester: Requester
  readonly opensAt: number | null
  readonly notMe: string
}): Mail {
  const { opensAt } = details
  if (opensAt === null) {
    const subject = 'A new device opened your wallet'
    return compose(details.to, {
      subject,
      heading: subject,
      lines: ['Your wallet is now open on a device that did not have it before.', requesterLine(details.requester)],
      note: `If this was you, there is nothing to do. If not, press “${notMeLabel}” to sign that device out, and move your assets to another wallet right away: it may have copied your keys.`,
      notMe: details.notMe,
    })
  }
  const subject = 'A new device wants to open your wallet'
  return compose(details.to, {
    subject,
    heading: subject,
    lines: [`It can do so from ${timeText(opensAt)} on. Until then it gets nothing.`, requesterLine(details.requester)],
    note: `If this was you, sign in there again at that time. If not, press “${notMeLabel}” before then: the device is signed out and cannot open your wallet.`,
    notMe: details.notMe,
  })
}

function requesterLine({ site, region, at }: Requester): string {
  const where = `${site === null ? '' : ` for ${site}`}${region === null ? '' : ` from ${region}`}`
  return `Requested${where} on ${timeText(at)}.`
}

/** Such as "22 Nov 2026, 22:31 UTC". @param time epoch ms */
export function timeText(time: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(time)} UTC`
}

function compose(to: string, { subject, heading, lines, code, link, note, notMe }: Content): Mail {
  const text = [
    heading,
    '',
    ...(code === undefined ? [] : [code, '']),
    ...lines,
    '',
    ...(link === undefined ? [] : [`${link.label}: ${link.href}`, '']),
    note,
    '',
    `${notMeLabel}: ${notMe}`,
    '',
  ].join('\n')
  const paragraph = (line: string) => `<p style="margin:0 0 12px">${escapeHtml(line)}</p>`
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:420px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(heading)}</h1>
${code === undefined ? '' : `<p style="margin:0 0 16px;font:600 36px/1.2 ui-monospace,monospace;letter-spacing:8px">${escapeHtml(code)}</p>\n`}${lines.map(paragraph).join('\n')}
${link === undefined ? '' : `<p style="margin:0 0 16px"><a href="${escapeHtml(link.href)}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:#17171c;color:#ffffff;text-decoration:none">${escapeHtml(link.label)}</a></p>\n`}<p style="margin:16px 0 0;font-size:14px;opacity:.7">${escapeHtml(note)}</p>
<p style="margin:12px 0 0;font-size:14px"><a href="${escapeHtml(notMe)}" style="color:inherit">${notMeLabel}</a></p>
</div>
</body>
</html>
`
  return { to, subject, text, html }
}
