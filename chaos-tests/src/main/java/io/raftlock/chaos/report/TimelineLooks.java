package io.raftlock.chaos.report;

/** How the page of the timeline looks and moves. Neither text has a character that XML minds. */
final class TimelineLooks {
    static final String READING =
            "Time runs down; it is stretched where much happens. Point at a block for its details;"
                    + " click on a call to see its lock alone; n and p go to the next and the"
                    + " previous finding. A thin bar on the left is a hold.";

    static final String STYLE =
            """
            body { margin: 0; font: 12px sans-serif; color: #303030; }
            header { padding: 8px 12px; max-width: 1100px; position: sticky; left: 0; }
            h1 { font-size: 18px; margin: 0; }
            ol { max-height: 160px; overflow: auto; }
            li a { margin-right: 6px; }
            .heads { position: sticky; top: 0; height: 22px; background: #fff; z-index: 5;
              border-bottom: 1px solid #909090; }
            .head { position: absolute; top: 3px; font-weight: bold;
              overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
            .grid { position: relative; margin-top: 6px; }
            .gutter { position: sticky; left: 0; width: 92px; background: #fff; z-index: 4; }
            .gutter span { position: absolute; left: 4px; font: 11px monospace; color: #606060; }
            .op, .fault, .node, .mark, .hold { position: absolute;
              overflow: hidden; font: 11px/13px monospace; border-radius: 2px;
              box-sizing: border-box; padding: 0 2px 0 7px; scroll-margin: 45vh; }
            .op span { overflow-wrap: anywhere; }
            .ok { background: #81BFFC; }
            .info { background: #FFA400; }
            .fail { background: #FF9ACB; border-left: 4px solid #FF1E90; padding-left: 3px; }
            .found { outline: 3px solid #D00000; z-index: 2; font-weight: bold; }
            .other { opacity: 0.15; }
            .hold { max-width: 5px; padding: 0; background: #1B5E9B; }
            .fault span, .node span { position: sticky; top: 26px; }
            .fault, .node { overflow: clip; }
            .behind { left: 0; width: 100%; opacity: 0.18; border-radius: 0; }
            .kill { background: #E9A4A0; }
            .pause { background: #A0B1E9; }
            .partition { background: #E9DCA0; }
            .clock { background: #A0E9E3; }
            .packet { background: #D1E8A0; }
            .disk { background: #C8A0E9; }
            .client { background: #C0C0C0; }
            .up { background: #CFE8CF; }
            .leads { background: #2E7D32; color: #fff; }
            .still { background: #A0B1E9; max-width: 60px; margin-left: 60px; }
            .mark { border-top: 1px solid #909090; background: #F4F4F4; white-space: nowrap; }
            .refused { color: #D00000; }
            .phase { font-weight: bold; }
            .break { position: absolute; left: 0; width: 100%; height: 16px; z-index: 3;
              padding-left: 100px; background: repeating-linear-gradient(45deg,
              #fff, #fff 6px, #ddd 6px, #ddd 12px); }
            .line { position: absolute; left: 0; width: 100%; border-top: 2px solid #D00000;
              z-index: 3; pointer-events: none; scroll-margin: 45vh; }
            .line span { position: sticky; left: 96px; background: #D00000; color: #fff;
              padding: 0 4px; }
            """;

    static final String SCRIPT =
            """
            (function () {
              var lines = Array.from(document.querySelectorAll('.line'));
              var at = -1;
              function go(step) {
                if (lines.length === 0) { return; }
                at = Math.max(0, Math.min(lines.length - 1, at + step));
                lines[at].scrollIntoView({ block: 'center' });
              }
              document.addEventListener('keydown', function (event) {
                if (event.key === 'n') { go(1); }
                if (event.key === 'p') { go(-1); }
              });
              document.addEventListener('click', function (event) {
                var op = event.target.closest('.op');
                var lock = op ? op.getAttribute('data-lock') : null;
                document.querySelectorAll('.op, .hold').forEach(function (other) {
                  var is = other.getAttribute('data-lock') === lock;
                  other.classList.toggle('other', op !== null ? !is : false);
                });
              });
            }());
            """;

    private TimelineLooks() {}
}
