import { safe } from '@postern/client/connectors'
import { PosternProvider, usePostern } from '@postern/client/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { customWallets, features, modalHost, networks, projectId } from '../dapp/config'
import '@fontsource-variable/inter/wght.css'
import '../dapp/demo.css'
import { setUpSignIn } from '../dapp/sign-in'
import { applyLook, readLook, themeOf } from '../dapp/theme'
import { App } from './App'

const look = readLook(window)
applyLook(window, look)
const signIn = setUpSignIn(window)
const options = {
  projectId,
  networks,
  customWallets,
  features,
  connectors: safe(
    () => Promise.all([import('@safe-global/safe-apps-sdk'), import('@safe-global/safe-apps-provider')]),
    // In place of Safe's app: the stand-in of this site.
    { allowedDomains: [new RegExp(`^${window.location.origin.replaceAll('.', '\\.')}$`)] },
  ),
  host: modalHost,
  metadata: { name: 'Postern demo', url: window.location.origin },
  theme: themeOf(window, look),
  ...signIn?.options,
}

function NpmApp() {
  return <App entry="npm" postern={usePostern().postern} signIn={signIn} />
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <PosternProvider options={options}>
      <NpmApp />
    </PosternProvider>
  </StrictMode>,
)
