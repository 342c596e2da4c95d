import { signInProviderNames } from '@postern/protocol'
import { type Html, html, nothing, page } from '../http/page'
import type { Answer } from '../http/serve'
import { type Provider, providers } from './clients'

const hidden = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/**
 * @param request parameters of the authorization request, sent back with the decision.
 * @param client origin that receives the result.
 */
export function authorizePage(
  provider: Provider,
  {
    request,
    client,
    headers,
  }: {
    readonly request: Readonly<Record<string, string>>
    readonly client: string
    readonly headers: Readonly<Record<string, string>>
  },
): Answer {
  const label = signInProviderNames[provider]
  return page({
    title: `Sign in with ${label}`,
    headers,
    formAction: `'self' ${client}`,
    body: html`<main>
<h1>Sign in with ${label}</h1>
<p class="quiet">A mock of ${label}. Use any name; the same name is the same user.</p>
<form class="card" method="post" action="/${provider}/authorize">
${hidden(request)}
<label><span>Name</span><input name="name" value="Ada Lovelace" required maxlength="64" autocomplete="off" autofocus></label>
${
  provider === 'x'
    ? nothing
    : html`<label><span>Email (optional)</span><input name="email" type="email" value="ada@example.com" autocomplete="off"></label>
<label><span>${label} has verified the address</span><select name="verified"><option value="yes">Yes</option><option value="no">No</option></select></label>`
}
<p class="quiet">${client} wants to know: ${request.scope || 'who you are'}.</p>
<div class="two"><button name="answer" value="deny" formnovalidate>Deny</button><button class="main" name="answer" value="allow">Allow</button></div>
</form>
</main>`,
  })
}

/** A form that submits itself. */
export const formPostPage = (redirectUri: string, fields: Readonly<Record<string, string>>): Answer =>
  page({
    title: 'Back to the app',
    script: '/submit.js',
    formAction: new URL(redirectUri).origin,
    body: html`<main><form method="post" action="${redirectUri}">${hidden(fields)}<button class="main">Continue</button></form></main>`,
  })

export const submitScript: Answer = {
  headers: { 'content-type': 'text/javascript; charset=utf-8' },
  body: 'document.forms[0].submit()\n',
}

export const refusedPage = (reason: string): Answer => ({
  ...page({
    title: 'Invalid sign-in request',
    body: html`<main><h1>Invalid sign-in request</h1><p class="problem">${reason}</p></main>`,
  }),
  status: 400,
})

export const indexPage = (): Answer =>
  page({
    title: 'Identity providers of the devnet',
    body: html`<main><h1>Identity providers of the devnet</h1>
<section><p>Mocks of ${providers.map((provider) => signInProviderNames[provider]).join(', ')}. To see their pages, start a sign-in in an app.</p></section></main>`,
  })
