/**
 * The emails, as text and as equivalent HTML.
 *
 * 1. An email loads nothing: no picture, font, style sheet or tracking pixel.
 * 2. A code is never in the subject or the preview, which a locked screen shows.
 * 3. Every word is ours or the operator's. Browser names and unlisted origins are left out: a thief would write the
 *    reader's. A caller chooses only the language.
 * 4. Each email has a link for a reader who did not request it.
 * 5. Heading and warning follow in English: a thief may have chosen a language that the owner does not read.
 * 6. A project's own lines, in the email's language or English, replace none of ours. A sign-in's heading names the
 *    brand.
 */
import { textDirection } from '@postern/base/text-direction'
import { type Language, minutesText, regionText, type Say, speak, timeText } from '../../projects/mail/text'
import { defaultMailLook, type MailLook, type MailTexts } from '../../projects/project'
import { drawCard, type Link, type OwnLine } from './card'
import type { Mail } from './mailer'

/** Without the caller's words. */
export type RequestFacts = {
  /** Entry of the project's list, such as `https://app.example.com`. */
  readonly site: string | null
  /** Country by the operator's proxy, ISO 3166-1 alpha-2. */
  readonly region: string | null
  /** Epoch ms. */
  readonly at: number
}

export type Requester = RequestFacts & {
  readonly language: Language
} & ProjectMail

/** Default: the gateway's own. */
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

type Content = {
  readonly subject: string
  readonly lines: readonly string[]
  readonly code?: string
  readonly link?: Link
  readonly note: string
  readonly isSignIn?: boolean
}

type Write = (say: Say, language: Language) => Content

type Details = { readonly to: string; readonly requester: Requester; readonly notMe: string }

export function codeMail(
  details: Details & { readonly code: string; readonly purpose: CodePurpose; readonly minutes: number },
): Mail {
  const { code, purpose, minutes } = details
  return compose(details, (say, language) => ({
    subject: say(`subject.${purpose}`),
    lines: [say(`line.${purpose}`), say('code.expires', { duration: minutesText(minutes, language) })],
    code,
    isSignIn: purpose === 'sign-in',
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
 * @param details.isProven the former address can only freeze the account.
 * @param details.undoUntil epoch ms.
 * @param details.frozenUntil latest end of a freeze, epoch ms.
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
  const { brand, color, sender, replyTo } = look
  const intro = ownLine(texts, language, 'intro')
  const footer = ownLine(texts, language, 'footer') ?? (look.footer === null ? null : { text: look.footer })
  const say = speak(language)
  const { subject, lines, code, link, note, isSignIn = false } = write(say, language)
  const heading = isSignIn && brand !== null ? say('heading.sign-in', { brand: isolate(brand) }) : subject
  const facts = factLines(requester, say)
  const english = language === 'en' ? null : inEnglish(write)
  const text = [
    ...(brand === null ? [] : [brand, '']),
    heading,
    '',
    ...(intro === null ? [] : [asText(intro), '']),
    ...(code === undefined ? [] : [code, '']),
    ...lines,
    ...facts,
    '',
    ...(link === undefined ? [] : [`${link.label}: ${link.href}`, '']),
    note,
    '',
    `${say('notMe')}: ${notMe}`,
    '',
    ...(english === null ? [] : [english.warning, '', `${english.label}: ${notMe}`, '']),
    ...(footer === null ? [] : [asText(footer), '']),
  ].join('\n')
  const html = drawCard({
    language,
    subject,
    preview: lines.join(' '),
    brand,
    color,
    heading,
    intro,
    code,
    lines,
    link,
    facts,
    note,
    notMe: { href: notMe, label: say('notMe') },
    english: english && { warning: english.warning, notMe: { href: notMe, label: english.label } },
    footer,
  })
  return { to, subject, text, html, sender: sender ?? undefined, replyTo: replyTo ?? undefined }
}

/** First strong isolate of Unicode: keeps the direction of the words around it. */
const isolate = (text: string) => `\u2068${text}\u2069`

/** 6 */
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

/** 5 */
function inEnglish(write: Write): { readonly warning: string; readonly label: string } {
  const say = speak('en')
  const { subject, note } = write(say, 'en')
  return { warning: `English: ${subject}. ${note}`, label: say('notMe') }
}
