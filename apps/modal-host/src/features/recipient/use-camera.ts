import { useEffect, useState } from 'react'

/** False also if the page did not allow it. */
export function useCamera(): boolean {
  const [there, setThere] = useState(false)
  useEffect(() => {
    let mounted = true
    // Absent in insecure contexts.
    const devices: MediaDevices | undefined = navigator.mediaDevices
    devices?.enumerateDevices?.().then(
      (all) => {
        if (mounted) setThere(all.some(({ kind }) => kind === 'videoinput'))
      },
      () => {},
    )
    return () => {
      mounted = false
    }
  }, [])
  return there
}
