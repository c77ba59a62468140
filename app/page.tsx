export default function HomePage() {
  return (
    <main>
      <h1>Weir</h1>
    </main>
  );
}
