/**
 * 1. Every setting of the environment wins, except `NODE_ENV`: this is not for production.
 * 2. Modal and wallet are on two sites that every browser resolves, `127.0.0.1` and `localhost`: Safari does not
 *    resolve `*.localhost`, and the wallet's passkeys need a domain.
 * 3. Project `dev` lets in only pages of loopback names, on every port. The embedded wallet trusts them.
 */
import path from 'node:path'
import { type Config, readConfig } from '../../config'
import type { ProjectInput } from '../../projects/project'

type Environment = Readonly<Record<string, string | undefined>>

/** The first port to try. */
export const firstPort = 4400

export const developmentProject = {
  id: 'dev',
  name: 'Development',
  allowedOrigins: ['http', 'https'].flatMap((scheme) =>
    ['localhost', '*.localhost', '127.0.0.1'].map((host) => `${scheme}://${host}:*`),
  ),
  defaultAncestors: false,
  // The developer is the visitor.
  analytics: { enabled: true, consent: false, addresses: false },
} satisfies Partial<ProjectInput>

/** @param folder has the data, in `.postern`. */
export function developmentSettings(env: Environment, port: number, folder: string): Environment {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  return {
    MODAL_ORIGIN: `http://127.0.0.1:${port}`,
    WALLET_ORIGIN: `http://localhost:${port}`,
    POSTERN_DATA: path.join(folder, '.postern'),
    POSTERN_SEED: JSON.stringify([developmentProject]),
    SMTP_URL: 'terminal',
    LOG_LEVEL: 'warn',
    ...given,
    PORT: String(port),
    NODE_ENV: 'development',
  }
}

/** Requirement 3, with the one setting that no variable has. */
export function developmentConfig(...given: Parameters<typeof developmentSettings>): Config {
  return { ...readConfig(developmentSettings(...given)), trustsLoopback: true }
}

export function welcome(modalOrigin: string, dataDir: string): string {
  return `
  Postern runs for development at ${modalOrigin}

  On a page of localhost, any port, by script tag:

    <script src="${modalOrigin}/postern.js" async data-project-id="${developmentProject.id}" data-networks="ethereum base solana bitcoin"></script>
    <postern-button></postern-button>

  or by npm install @postern/client:

    import { createPostern } from '@postern/client'

    const postern = createPostern({
      projectId: '${developmentProject.id}',
      host: '${modalOrigin}',
      networks: ['ethereum', 'base', 'solana', 'bitcoin'],
    })
    await postern.open()

  Emails with sign-in links and codes are printed here. The data is in ${dataDir}. Ctrl-C stops the gateway.
`
}
