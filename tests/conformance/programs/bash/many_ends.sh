# Says who it is, then ends in one of five ways.
read -r given
echo "$NUMBER $given"
case $((NUMBER % 5)) in
  0) exit 0 ;;
  1) sleep 0.1; exit 0 ;;
  2) exit 3 ;;
  3) kill -ABRT $$ ;;
  4) while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done | cat ;;
esac
