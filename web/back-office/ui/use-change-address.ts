import { useNavigate } from "react-router-dom";

/**
 * Changes parameters of the page's address. Starts from the address itself: `useSearchParams` starts from the last
 * render, so the second of two quick changes would undo the first.
 */
export function useChangeAddress(): (change: (parameters: URLSearchParams) => void) => void {
  const navigate = useNavigate();
  return (change) => {
    const parameters = new URLSearchParams(window.location.search);
    change(parameters);
    navigate(`?${parameters}`);
  };
}
