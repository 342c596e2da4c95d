import { PosternProvider } from '@postern/client/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@fontsource-variable/inter/wght.css'
import '../dapp/tokens.css'
import './page.css'
import { applyLook, readLook, themeOf } from '../dapp/theme'
import { options } from './options'
import { Shop } from './Shop'

const look = readLook(window)
applyLook(window, look)
const queries = new QueryClient()

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <PosternProvider options={{ ...options, theme: themeOf(window, look) }}>
      <QueryClientProvider client={queries}>
        <Shop />
      </QueryClientProvider>
    </PosternProvider>
  </StrictMode>,
)
