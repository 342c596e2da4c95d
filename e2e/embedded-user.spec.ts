/** A dapp asks who signed in to the embedded wallet, and its server checks the answer. */
import type { Page } from '@playwright/test'
import { verifyIdentityToken } from '@postern/siwx/server'
import { allChains } from './support/dapp'
import { approvalOf, askAndApprove, declineRequest, shown, signedIn } from './support/embedded'
import { newAddress } from './support/mailbox'
import { card, inDapp, type Outcome, textOf } from './support/postern'
import { expect, test } from './support/test'

const askWho = (page: Page): Promise<Outcome> =>
  inDapp(page, (postern) =>
    postern.getIdentityToken({ user: true }).then(
      (result) => ({ result }),
      ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message }),
    ),
  )

/** As a server does it. Only the browser resolves the name of the tests' wallet site, so the keys come through it. */
async function verified(page: Page, token: string) {
  const issuer: string = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).iss
  const { keys } = await page.evaluate(async (url) => (await fetch(url)).json(), `${issuer}/.well-known/jwks.json`)
  return verifyIdentityToken(token, {
    issuer,
    projectId: 'demo',
    keys: async ({ kid }) => {
      const key = keys.find((one: { readonly kid: string }) => one.kid === kid)
      return crypto.subtle.importKey('jwk', key, 'Ed25519', false, ['verify'])
    },
  })
}

test('@main @embedded a dapp learns who signed in only if the user agrees, who is then asked once (spec §3)', async ({
  page,
  visit,
}) => {
  const email = newAddress()
  await visit({ wallets: [], networks: allChains })
  await signedIn(page, email)

  const declined = askWho(page)
  await shown(page, declined)
  await expect(approvalOf(page)).toContainText('asks who you are')
  await declineRequest(page)
  expect(await declined).toMatchObject({ code: 'USER_REJECTED' })
  await expect(card(page)).toBeHidden()

  const approved = await askAndApprove(page, askWho(page), async (approval) => {
    await expect(approval).toContainText('dapp.localhost')
    await expect(approval).toContainText(email)
    await expect(approval).toContainText('Signed in with')
  })
  await expect(card(page)).toBeHidden()
  const user = await verified(page, textOf(approved))
  expect(user).toMatchObject({
    user: { provider: 'email', email },
    addresses: { eip155: expect.stringMatching(/^0x/) },
  })

  const again = await askWho(page)
  await expect(card(page)).toBeHidden()
  expect(await verified(page, textOf(again))).toMatchObject({ id: user?.id, user: { provider: 'email', email } })
  const plain = await verified(page, await inDapp(page, (postern) => postern.getIdentityToken()))
  expect(plain).not.toHaveProperty('user')
})
