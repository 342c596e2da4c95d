import { html, nothing, page } from '../http/page'
import type { Answer } from '../http/serve'
import type { Mailbox, Message } from './messages'

const time = (epoch: number) => new Date(epoch).toISOString().slice(11, 19)

export function mailboxPage(mailbox: Mailbox, chosen: number | null): Answer {
  const messages = mailbox.list()
  const open = chosen === null ? messages[0] : mailbox.get(chosen)
  return page({
    title: messages.length === 0 ? 'Mailbox' : `Mailbox (${messages.length})`,
    script: '/page.js',
    body: html`<main class="wide" data-newest="${messages[0]?.id ?? 0}">
<header><h1>Mailbox</h1>${
      messages.length === 0 ? nothing : html`<form method="post" action="/delete"><button>Delete all</button></form>`
    }</header>
${
  messages.length === 0
    ? html`<section><p>No email yet.</p><p class="quiet">Every email that the gateway sends arrives here and is not delivered.</p></section>`
    : html`<div class="mails"><ul class="list" aria-label="Messages">${messages.map((message) => row(message, message === open))}</ul>${
        open === undefined ? html`<section><p>This message was deleted.</p></section>` : whole(open)
      }</div>`
}
</main>`,
  })
}

const row = (message: Message, isOpen: boolean) => html`<li><a href="/mail/${message.id}"${
  isOpen ? { html: ' aria-current="true"' } : nothing
}><b>${message.subject || 'No subject'}</b><span class="quiet">${message.to.join(', ')}</span><span class="quiet">${time(message.receivedAt)} UTC</span></a></li>
`

const whole = (message: Message) => html`<section>
<h2>${message.subject || 'No subject'}</h2>
<dl><dt>From</dt><dd>${message.from}</dd><dt>To</dt><dd>${message.to.join(', ')}</dd></dl>
${message.code === null ? nothing : html`<p class="code">${message.code}</p>`}
${message.links.map((link) => html`<p><a href="${link}" target="_blank" rel="noopener noreferrer">${link}</a></p>`)}
${
  message.html === null
    ? nothing
    : html`<iframe title="The message as HTML" src="/mail/${message.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
}
<pre>${message.text}</pre>
</section>`

/** Nothing in the email can run or load; links open new tabs. */
export const htmlOf = (message: Message): Answer => ({
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox",
    'referrer-policy': 'no-referrer',
  },
  body: `<!doctype html><meta charset="utf-8"><base target="_blank">${message.html ?? ''}`,
})

/** Shows a new message on the start page; while another is open, only its row. */
export const pageScript: Answer = {
  headers: { 'content-type': 'text/javascript; charset=utf-8' },
  body: `const main = () => document.querySelector('main')
for (;;) {
  try {
    const response = await fetch('/messages/wait?timeout=25000&after=' + main().dataset.newest)
    if (response.status !== 200) continue
    const shown = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html')
    document.title = shown.title
    const list = document.querySelector('.list')
    if (location.pathname === '/' || list === null) main().replaceWith(shown.querySelector('main'))
    else {
      list.replaceWith(shown.querySelector('.list'))
      main().dataset.newest = shown.querySelector('main').dataset.newest
    }
  } catch {
    // The devnet was stopped, or is restarting.
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
`,
}
