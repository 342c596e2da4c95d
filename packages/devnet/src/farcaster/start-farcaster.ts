/** Farcaster's sign-in relay, with a page that acts as the app on the user's phone. */
import * as z from 'zod'
import { html, page, styleSheet } from '../http/page'
import { type Answer, type HttpCall, json, parseJson, Refusal, type RunningServer, serve } from '../http/serve'
import { type Channel, ChannelRequest, createChannels, statusOf } from './channels'
import type { IdRegistry } from './registry'
import { type Fault, faults, signIn } from './sign-in'

export type Farcaster = RunningServer & { readonly url: string }

const Decision = z.object({
  channelToken: z.string(),
  username: z.string().regex(/^[a-z0-9][a-z0-9-]{0,15}$/),
})
const FaultSwitch = z.object({ kind: z.enum(faults) })

/**
 * Starts the relay.
 *
 * 1. `POST /v1/channel` opens a channel for ten minutes and returns its token, its URL (the app's page) and its nonce.
 * 2. `GET /v1/channel` and `/v1/channel/status` return the state to a caller with the token: 202 while pending, 200
 *    once a user signed, 401 without a channel.
 * 3. On the page anyone may sign in under any name. A channel is completed once.
 * 4. `POST /devnet/fault` corrupts later responses or takes the relay down, until `none`.
 */
export async function startFarcaster({
  port,
  registry,
  signal,
}: {
  readonly port: number
  readonly registry: IdRegistry
  readonly signal?: AbortSignal | undefined
}): Promise<Farcaster> {
  const channels = createChannels()
  let fault: Fault = 'none'

  async function decide({ body }: HttpCall): Promise<Answer> {
    const decision = Decision.safeParse(Object.fromEntries(new URLSearchParams(body)))
    if (!decision.success) return reply(400, 'A user name has 1 to 16 characters: a to z, 0 to 9 and -.')
    const { channelToken, username } = decision.data
    const channel = channels.get(channelToken)
    if (channel === undefined) return reply(404, 'This sign-in has ended. Start again in the app.')
    const signed = await signIn({ channel, username, registry, fault })
    return channels.complete(channelToken, signed)
      ? reply(200, `Signed in as ${username}. Go back to the app.`)
      : reply(409, 'This sign-in is already complete.')
  }

  function relay({ method, url, headers, body }: HttpCall): Answer {
    if (fault === 'down') return json({ error: 'Service unavailable' }, 503)
    if (method === 'POST' && url.pathname === '/v1/channel') {
      const request = parseJson(ChannelRequest, body)
      const pageUrl = `http://farcaster.localhost:${server.port}/~/siwf?channelToken=`
      const channel = channels.open(request, (token) => pageUrl + token, headers['user-agent'] ?? '')
      return json({ channelToken: channel.token, url: channel.url, nonce: channel.nonce }, 201)
    }
    const [, token = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    const channel = channels.get(token)
    if (channel === undefined) return json({ error: 'Unauthorized' }, 401)
    return json(statusOf(channel), channel.signed === null ? 202 : 200)
  }

  const server: RunningServer = await serve({
    port,
    signal,
    answer(request) {
      const { method, url, body } = request
      switch (`${method} ${url.pathname}`) {
        case 'POST /v1/channel':
        case 'GET /v1/channel':
        case 'GET /v1/channel/status':
          return relay(request)
        case 'GET /~/siwf': {
          const channel = channels.get(url.searchParams.get('channelToken') ?? '')
          return channel === undefined ? reply(404, 'This sign-in has ended. Start again in the app.') : phone(channel)
        }
        case 'POST /~/siwf':
          return decide(request)
        case 'POST /devnet/fault':
          fault = parseJson(FaultSwitch, body).kind
          return json({ kind: fault })
        case 'GET /':
          return reply(200, 'Start a sign-in with Farcaster in an app, then open the link in its QR code.')
        case 'GET /style.css':
          return styleSheet
        default:
          throw new Refusal(404, 'Not found.')
      }
    },
  })
  return { ...server, url: `http://farcaster.localhost:${server.port}/` }
}

const reply = (status: number, message: string): Answer => ({
  ...page({ title: 'Farcaster', body: html`<main><h1>Farcaster</h1><section><p>${message}</p></section></main>` }),
  status,
})

const phone = ({ token, request }: Channel): Answer =>
  page({
    title: 'Sign in with Farcaster',
    body: html`<main>
<h1>Sign in with Farcaster</h1>
<p class="quiet">A mock of the app on your phone. Use any name; the same name is the same user.</p>
<form class="card" method="post" action="/~/siwf">
<input type="hidden" name="channelToken" value="${token}">
<p><b>${request.domain}</b> wants to know who you are.</p>
<label><span>User name</span><input name="username" value="ada" required pattern="[a-z0-9][a-z0-9\\-]{0,15}" autocomplete="off" autofocus></label>
<button class="main">Sign in</button>
</form>
</main>`,
  })
