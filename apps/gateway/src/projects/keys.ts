/**
 * A project's clients at social providers and keys at upstreams (`POSTERN_PROJECT_KEYS`), in place of the gateway's
 * own. No table, backup, admin API or log has them.
 */
import { socialProviders } from '@postern/protocol'
import * as z from 'zod/mini'
import { EndpointUrl, NetworkId, readJsonSetting } from '../platform/settings/json-setting'
import { ProjectId } from './project'
import { type Credentials, readPrivateKey } from './social-credentials'

export type ProjectKeys = {
  /** By provider. */
  readonly social: Credentials
  /** By network. */
  readonly upstreams: ReadonlyMap<string, readonly string[]>
}

export type KeysOfProjects = ReadonlyMap<string, ProjectKeys>

const text = z
  .string()
  .check(z.minLength(1, 'must not be empty'), z.maxLength(4_096, 'must be 4096 characters or fewer'))

const Client = z.strictObject({ clientId: text, clientSecret: text })

const AppleClient = z.strictObject({
  clientId: text,
  teamId: text,
  keyId: text,
  privateKey: z.pipe(
    text,
    z.transform((value: string, context) => {
      const key = readPrivateKey(value)
      if (key !== null) return key
      // Without the input: it may be a key.
      context.issues.push({ code: 'custom', input: undefined, message: 'must be a PKCS #8 key in PEM or base64' })
      return z.NEVER
    }),
  ),
})

const Social = z.strictObject({
  google: z.optional(Client),
  github: z.optional(Client),
  apple: z.optional(AppleClient),
  facebook: z.optional(Client),
  x: z.optional(Client),
  discord: z.optional(Client),
})

const Keys = z.strictObject({
  social: z.optional(Social),
  upstreams: z.optional(z.record(NetworkId, z.array(EndpointUrl).check(z.minLength(1, 'must name an upstream')))),
})

const name = 'POSTERN_PROJECT_KEYS'

/** The added `problems` never contain a key. @param source JSON by project id, or its file. */
export function readProjectKeys(
  source: string | undefined,
  networks: ReadonlySet<string>,
  problems: string[],
): KeysOfProjects {
  const read = readJsonSetting(name, z.record(ProjectId, Keys), source, problems) ?? {}
  const keys = Object.entries(read).map(([id, { social = {}, upstreams = {} }]) => {
    for (const network of Object.keys(upstreams)) {
      if (!networks.has(network)) problems.push(`${name}: ${id}.upstreams.${network} is no network of this gateway`)
    }
    return [id, { social: credentialsOf(social), upstreams: new Map(Object.entries(upstreams)) }] as const
  })
  return new Map(keys)
}

function credentialsOf(social: z.infer<typeof Social>): Credentials {
  return new Map(
    socialProviders.flatMap((provider) => {
      const client = social[provider]
      return client === undefined ? [] : [[provider, client] as const]
    }),
  )
}

/** The project's own alone, if any: its calls are never billed to the gateway's keys. */
export function upstreamsFor(
  keys: KeysOfProjects,
  projectId: string,
  network: { readonly id: string; readonly upstreams: readonly string[] },
): readonly string[] {
  return keys.get(projectId)?.upstreams.get(network.id) ?? network.upstreams
}
