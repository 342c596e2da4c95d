/**
 * The emails, as text and as equivalent HTML.
 *
 * 1. An email loads nothing: no picture, font, style sheet or tracking pixel.
 * 2. A code is in the body, never in the subject, which a locked screen shows.
 * 3. Every word is ours or the operator's: no caller chooses any of it. A caller's browser name and any origin that the
 *    project does not list are left out, because a thief would write those of the reader. A caller's only choice is the
 *    language, one of the catalogues in `text/`.
 * 4. Each email has a link for a reader who did not request it.
 * 5. In another language than English, the heading and the warning follow in English: a thief may have chosen a language
 *    that the owner does not read.
 * 6. A project's own lines stand beside ours and replace none of them: the subject, the purpose, the code, the warning
 *    and the link of 4 are the same in every project. They are in the email's language, else in English, and have the
 *    direction of their language.
 */
import { textDirection } from '@postern/base/text-direction'
import { escapeHtml } from '../../platform/html/page'
import { type Language, minutesText, regionText, type Say, speak, timeText } from '../../projects/mail/text'
import { defaultMailLook, type MailLook, type MailTexts } from '../../projects/project'
import type { Mail } from './mailer'

/** What the gateway knows of a request, without the caller's own words. */
export type RequestFacts = {
  /** Entry of the project's own list, such as `https://app.example.com`; null if the caller named none of them. */
  readonly site: string | null
  /** Country by the operator's proxy, an ISO 3166-1 alpha-2 code; null if unknown. */
  readonly region: string | null
  /** Epoch ms. */
  readonly at: number
}

export type Requester = RequestFacts & {
  /** Of the browser that made the request. */
  readonly language: Language
} & ProjectMail

/** Look and texts of the project's emails. Default: the gateway's own. */
export type ProjectMail = { readonly look?: MailLook; readonly texts?: MailTexts }

export type CodePurpose =
  | 'sign-in'
  | 'export'
  | 'recovery'
  | 'move'
  | 'deletePrevious'
  | 'delete'
  | 'email-primary'
  | 'email-secondary'

/** What an email says in one language. */
type Content = {
  readonly subject: string
  readonly lines: readonly string[]
  readonly code?: string
  readonly link?: { readonly href: string; readonly label: string }
  readonly note: string
}

/** For {@link compose}: writes the content in a language. */
type Write = (say: Say, language: Language) => Content

/** @param notMe link for a reader who did not request the email. */
type Details = { readonly to: string; readonly requester: Requester; readonly notMe: string }

export function codeMail(
  details: Details & { readonly code: string; readonly purpose: CodePurpose; readonly minutes: number },
): Mail {
  const { code, purpose, minutes } = details
  return compose(details, (say, language) => ({
    subject: say(`subject.${purpose}`),
    lines: [say(`line.${purpose}`), say('code.expires', { duration: minutesText(minutes, language) })],
    code,
    note: `${say('code.secret')} ${notMeNote(say)}`,
  }))
}

export function deviceMail(details: Details & { readonly href: string; readonly minutes: number }): Mail {
  const { href, minutes } = details
  return compose(details, (say, language) => ({
    subject: say('device.subject'),
    lines: [say('device.line'), say('device.expires', { duration: minutesText(minutes, language) })],
    link: { href, label: say('device.review') },
    note: `${say('device.note')} ${notMeNote(say)}`,
  }))
}

/**
 * @param details.side the address that it goes to.
 * @param details.isProven the former address alone freezes the account, and does not take it back.
 * @param details.undoUntil epoch ms.
 * @param details.frozenUntil when a freeze ends at the latest, epoch ms.
 */
export function addressChangedMail(
  details: Details & {
    readonly side: 'former' | 'present'
    readonly isProven: boolean
    readonly undoUntil: number
    readonly frozenUntil: number
  },
): Mail {
  const { side, isProven, undoUntil, frozenUntil } = details
  return compose(details, (say, language) => {
    const values = {
      notMe: say('notMe'),
      until: timeText(undoUntil, language),
      end: timeText(frozenUntil, language),
    }
    return {
      subject: say('changed.subject'),
      lines: [say(`changed.line.${side}`)],
      note: say(`changed.note.${side}.${isProven ? 'proven' : 'alone'}`, values),
    }
  })
}

/** @param details.opensAt epoch ms; null: the wallet is open. */
export function recoveryMail(details: Details & { readonly opensAt: number | null }): Mail {
  const { opensAt } = details
  return compose(details, (say, language) =>
    opensAt === null
      ? {
          subject: say('opened.subject'),
          lines: [say('opened.line')],
          note: say('opened.note', { notMe: say('notMe') }),
        }
      : {
          subject: say('waiting.subject'),
          lines: [say('waiting.line', { time: timeText(opensAt, language) })],
          note: say('waiting.note', { notMe: say('notMe') }),
        },
  )
}

const notMeNote = (say: Say) => say('notMe.note', { notMe: say('notMe') })

function factLines({ site, region, at, language }: Requester, say: Say): readonly string[] {
  return [
    say('requested', { time: timeText(at, language) }),
    ...(site === null ? [] : [say('app', { site })]),
    ...(region === null ? [] : [say('region', { region: regionText(region, language) })]),
  ]
}

function compose({ to, requester, notMe }: Details, write: Write): Mail {
  const { language, look = defaultMailLook, texts = {} } = requester
  const { brand, sender, replyTo } = look
  const intro = ownLine(texts, language, 'intro')
  const footer = ownLine(texts, language, 'footer') ?? (look.footer === null ? null : { text: look.footer })
  const color = look.color ?? '#17171c'
  const say = speak(language)
  const { subject, lines, code, link, note } = write(say, language)
  const shown = [...lines, ...factLines(requester, say)]
  const english = language === 'en' ? null : inEnglish(write, notMe)
  const text = [
    ...(brand === null ? [] : [brand, '']),
    subject,
    '',
    ...(intro === null ? [] : [asText(intro), '']),
    ...(code === undefined ? [] : [code, '']),
    ...shown,
    '',
    ...(link === undefined ? [] : [`${link.label}: ${link.href}`, '']),
    note,
    '',
    `${say('notMe')}: ${notMe}`,
    '',
    ...(english === null ? [] : [english.text, '']),
    ...(footer === null ? [] : [asText(footer), '']),
  ].join('\n')
  const paragraph = (line: string) => `<p style="margin:0 0 12px">${escapeHtml(line)}</p>`
  const html = `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div lang="${language}" dir="${textDirection(language)}" style="max-width:420px;margin:0 auto">
${brand === null ? '' : `<p style="margin:0 0 16px;padding:0 0 12px;border-bottom:2px solid ${color};font-weight:600"><bdi>${escapeHtml(brand)}</bdi></p>\n`}<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(subject)}</h1>
${intro === null ? '' : `<p style="margin:0 0 16px">${asHtml(intro)}</p>\n`}${code === undefined ? '' : `<p style="margin:0 0 16px;font:600 36px/1.2 ui-monospace,monospace;letter-spacing:8px">${escapeHtml(code)}</p>\n`}${shown.map(paragraph).join('\n')}
${link === undefined ? '' : `<p style="margin:0 0 16px"><a href="${escapeHtml(link.href)}" style="display:inline-block;padding:12px 20px;border:1px solid;border-radius:12px;background:${color};color:${inkOn(color)};text-decoration:none">${escapeHtml(link.label)}</a></p>\n`}${smallPrint(note, say('notMe'), notMe)}
${english === null ? '' : `${english.html}\n`}${footer === null ? '' : `<p style="margin:16px 0 0;font-size:14px;opacity:.7">${asHtml(footer)}</p>\n`}</div>
</body>
</html>
`
  return { to, subject, text, html, sender: sender ?? undefined, replyTo: replyTo ?? undefined }
}

/** A line of the project. */
type OwnLine = { readonly text: string; readonly language?: Language }

/** 6. */
function ownLine(texts: MailTexts, language: Language, part: 'intro' | 'footer'): OwnLine | null {
  for (const tag of [language, 'en'] as const) {
    const text = texts[tag]?.[part]
    if (text !== undefined) return { text, language: tag }
  }
  return null
}

/** Adds a right-to-left mark: mail apps give a line the direction of its first letter. */
function asText({ text, language = 'en' }: OwnLine): string {
  return textDirection(language) === 'rtl' ? `\u200f${text}` : text
}

function asHtml({ text, language }: OwnLine): string {
  const attributes = language === undefined ? '' : ` lang="${language}" dir="${textDirection(language)}"`
  return `<bdi${attributes}>${escapeHtml(text)}</bdi>`
}

/** Black or white, whichever has more contrast (WCAG 2.2, relative luminance). @param color `#rrggbb` */
function inkOn(color: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}

/** 5. */
function inEnglish(write: Write, notMe: string): { readonly text: string; readonly html: string } {
  const say = speak('en')
  const { subject, note } = write(say, 'en')
  const warning = `English: ${subject}. ${note}`
  return {
    text: [warning, '', `${say('notMe')}: ${notMe}`].join('\n'),
    html: `<div lang="en" dir="ltr">\n${smallPrint(warning, say('notMe'), notMe)}\n</div>`,
  }
}

function smallPrint(note: string, label: string, href: string): string {
  return `<p style="margin:16px 0 0;font-size:14px;opacity:.7">${escapeHtml(note)}</p>
<p style="margin:12px 0 0;font-size:14px"><a href="${escapeHtml(href)}" style="color:inherit">${escapeHtml(label)}</a></p>`
}
