import { createContext, useContext, useEffect, useState } from 'react'

const copiedForMs = 2_000

export const CopyFailureContext = createContext<(text: string) => void>(() => {})

/** Copies text, and shows that for a while. Reports `failed` to the {@link CopyFailureContext}. */
export function useCopy(failed: string): { readonly copied: boolean; copy(text: string): void } {
  const onFailure = useContext(CopyFailureContext)
  const [copies, setCopies] = useState(0)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (copies === 0) return
    setCopied(true)
    const timer = setTimeout(() => setCopied(false), copiedForMs)
    return () => clearTimeout(timer)
  }, [copies])

  const attempt = async (text: string) => {
    if (await copyText(text)) setCopies((count) => count + 1)
    else onFailure(failed)
  }
  return { copied, copy: (text) => void attempt(text) }
}

/** The Clipboard API, else a selection, which needs no permission. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const write = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
  }
  document.addEventListener('copy', write)
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', write)
  }
}
