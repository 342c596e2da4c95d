/** Answers of a user at the devnet's OpenID provider, without a browser. */
export type OidcPerson = {
  readonly email?: string
  readonly verified?: 'yes' | 'no'
  /** Separated by commas. */
  readonly groups?: string
  readonly answer?: 'allow' | 'deny'
}

const maxSteps = 10

/** @returns the callback with the provider's answer. */
export async function answerOidc(authorizationUrl: string, person: OidcPerson): Promise<URL> {
  const cookies = new Map<string, string>()
  const provider = new URL(authorizationUrl).origin
  let next = new URL(authorizationUrl)
  for (let step = 0; step < maxSteps; step += 1) {
    const isForm = next.pathname.startsWith('/interaction/')
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isForm && { method: 'POST', body: new URLSearchParams({ answer: 'allow', ...person }) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    next = new URL(location, next)
    if (next.origin !== provider) return next
  }
  throw new Error('The provider redirects without an end')
}
